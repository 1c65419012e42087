import CardModel
import Testing

@Suite("Attempts at what can be guessed")
struct AttemptTests {
    private let now = 1_800_000_000.0

    private func subject(_ byte: UInt8, _ scope: AttemptSubject.Scope, free: Int) -> AttemptSubject {
        AttemptSubject(hash: [byte], limit: AttemptLimit(free: free), scope: scope)
    }

    @Test("Waits double after the free attempts, up to a quarter of an hour, and are forgotten after a day")
    func waits() {
        let limit = AttemptLimit(free: 2)
        func wait(_ count: Int) -> Double { limit.wait(after: AttemptCount(count: count, lastAt: now), at: now) }
        #expect([1, 2, 3, 4, 20, .max].map(wait) == [0, 5, 10, 20, 900, 900])
        #expect(limit.wait(after: AttemptCount(count: 3, lastAt: now), at: now + 10) == 0)
        let old = AttemptCount(count: 9, lastAt: now)
        #expect(AttemptCount.adding(to: old, at: now + 86_399).count == 10)
        #expect(AttemptCount.adding(to: old, at: now + 86_400).count == 1)
        #expect(limit.wait(after: AttemptCount(count: 3, lastAt: now + 1e9), at: now) == 10)
    }

    @Test("A success clears the count of its own, and takes back one attempt of what it shares")
    func rest() throws {
        struct Read: Error {}
        func fail() throws -> AttemptCount? { throw Read() }
        let attempt = GuessAttempt([subject(1, .own, free: 5), subject(2, .shared, free: 10)])
        let count = AttemptCount(count: 3, lastAt: now)
        let less = AttemptCount(count: 2, lastAt: now)
        #expect(attempt.rest(of: count, for: [1], clearing: false) == less)
        #expect(attempt.rest(of: count, for: [2], clearing: true) == less)
        #expect(attempt.rest(of: AttemptCount(count: 1, lastAt: now), for: [2], clearing: true) == nil)
        #expect(attempt.rest(of: nil, for: [2], clearing: true) == nil)
        // What is cleared isn't read.
        let cleared = try attempt.rest(of: fail(), for: [1], clearing: true)
        #expect(cleared == nil)
    }

    @Test("The failures of others slow down who keeps failing, and no newcomer")
    func newcomers() {
        let attempt = GuessAttempt([subject(1, .own, free: 5), subject(2, .sharedExceptNewcomers, free: 10)])
        let others = AttemptCount(count: 100, lastAt: now)
        func wait(_ own: Int) -> Double {
            attempt.wait([[1]: AttemptCount(count: own, lastAt: now), [2]: others], at: now)
        }
        #expect([0, 1, 2, 3, 4].map(wait) == [0, 0, 0, 900, 900])
        let strict = GuessAttempt([subject(1, .own, free: 5), subject(2, .shared, free: 10)])
        #expect(strict.wait([[2]: others], at: now) == 900)
    }
}
