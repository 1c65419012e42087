import Foundation
import Testing

@testable import ContentCards

@Suite("Delays between requests")
struct DelayTests {
    let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test("allow five refreshes at once and one more every 180 seconds")
    func bucket() {
        var budget = RefreshBudget(at: now)
        for _ in 0..<5 { #expect(budget.take(at: now) == nil) }
        #expect(budget.take(at: now) == 180)
        #expect(budget.take(at: now + 100) == 80)
        #expect(budget.take(at: now + 180) == nil)
        #expect(budget.take(at: now + 180) == 180)
        #expect(budget.take(at: now + 10_000) == nil)
    }

    @Test("are not made longer than one interval by a clock that is set back a year, nor endless by one set forward")
    func clockJumps() {
        var budget = RefreshBudget(at: now)
        for _ in 0..<5 { _ = budget.take(at: now) }
        let past = now - 365 * 86_400
        #expect(budget.take(at: past) == 180)
        #expect(budget.take(at: past + 180) == nil)
        let future = now + 365 * 86_400
        for _ in 0..<5 { #expect(budget.take(at: future) == nil) }
        #expect(budget.take(at: future) != nil)
    }

    @Test("follow the limit that the server sets, unless it is nonsense")
    func serverLimit() {
        var budget = RefreshBudget(at: now)
        for _ in 0..<5 { _ = budget.take(at: now) }
        budget.adopt(RefreshLimit(burst: 7, seconds: 10), at: now)
        #expect(budget.take(at: now) == nil)
        #expect(budget.take(at: now) == nil)
        #expect(budget.take(at: now) == 10)
        budget.adopt(RefreshLimit(burst: 0, seconds: 1), at: now)
        #expect(budget.limit == RefreshLimit(burst: 7, seconds: 10))
        budget.adopt(RefreshLimit(burst: 7, seconds: 0), at: now)
        #expect(budget.take(at: now) == nil)
    }

    @Test("double after each failure up to a limit, and start anew after a success")
    func backoff() {
        var backoff = Backoff(base: 1, limit: 60)
        let delays = (0..<8).map { _ in backoff.fail(random: 1) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60])
        backoff.succeed()
        #expect(backoff.fail(random: 0) == 0.5)
        #expect(backoff.fail(random: 0.5) == 1.5)
    }

    @Test(
        "obey Retry-After in seconds and as a date",
        arguments: [
            ("120", 120), (" 0.5 ", 0.5), ("Mon, 21 Sep 2026 14:14:20 GMT", 60), ("Mon, 21 Sep 2020 14:14:20 GMT", 0),
            ("soon", nil), ("-1", nil), ("", nil), ("99999999", 86_400),
        ] as [(String, TimeInterval?)]
    )
    func retryAfter(header: String, expected: TimeInterval?) {
        #expect(RetryAfter.seconds(header, at: Date(timeIntervalSince1970: 1_790_000_000)) == expected)
    }
}
