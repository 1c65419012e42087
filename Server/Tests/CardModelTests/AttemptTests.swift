import CardModel
import Statistics
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
    }

    @Test func `A clock that is set back locks nobody out for longer than twice the wait`() {
        let limit = AttemptLimit(free: 2)
        let attempts = AttemptCount(count: 3, lastAt: now)
        // By less than the wait, as the clock of another node may be behind, and by more.
        #expect([0, 1, 9.5, 10].map { limit.wait(after: attempts, at: now - $0) } == [10, 10, 10, 10])
        #expect([10.5, 3_600, 1e9].map { limit.wait(after: attempts, at: now - $0) } == [0, 0, 0])
        // The attempt that is let through counts by the clock as it is now, and those before it still do.
        let next = AttemptCount.adding(to: attempts, at: now - 3_600)
        #expect(next == AttemptCount(count: 4, lastAt: now - 3_600))
        #expect(limit.wait(after: next, at: now - 3_599) == 19)
    }

    @Test(arguments: 0..<20)
    func `Whoever fails on and on gets no more attempts than the waits allow, whatever the clock does`(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let limit = AttemptLimit(free: Int.random(in: 0...5, using: &random))
        // What passes by a stopwatch, and how far the clock of the server is from it.
        var (stopwatch, offset) = (0.0, now)
        var attempts: AttemptCount?
        var (taken, setBack) = (0, 0)
        for _ in 0..<2_000 {
            stopwatch += Double(Int.random(in: 1...30, using: &random))
            if Int.random(in: 0..<400, using: &random) == 0 {
                offset -= Double(Int.random(in: 1...100_000, using: &random))
                setBack += 1
            }
            guard limit.wait(after: attempts, at: stopwatch + offset) == 0 else { continue }
            attempts = AttemptCount.adding(to: attempts, at: stopwatch + offset)
            taken += 1
        }
        // The waits are 5, 10, 20 … 640 and then 900 seconds; each change of the clock lets one more through.
        var (allowed, time) = (limit.free, 0.0)
        while time <= stopwatch {
            allowed += 1
            time += min(AttemptLimit.longestWait, 5 * Double(1 << min(allowed - limit.free - 1, 10)))
        }
        #expect(taken <= allowed + setBack)
        // After each wait it is half a minute at most until the next try; a change of the clock costs one wait.
        let pause = AttemptLimit.longestWait * 2 + 30
        #expect(Double(taken) >= (stopwatch - Double(setBack) * pause) / pause)
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
