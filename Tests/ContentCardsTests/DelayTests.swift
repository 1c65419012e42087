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

    @Test("survive every limit that a server can send", arguments: [Int.max, .min, -1, 0, 1_000_001])
    func hostileLimit(burst: Int) throws {
        var budget = RefreshBudget(at: now)
        for seconds in [180, 0, 1e300, -1, .infinity, .nan] {
            budget.adopt(RefreshLimit(burst: burst, seconds: seconds), at: now)
            budget.giveBack()
            #expect(budget.limit == .standard)
        }
        #expect(budget.take(at: now) == nil)
        // Given a reply with it, as JSON has it
        let reply = #"{"cards":[],"refresh":{"burst":\#(burst),"seconds":1}}"#
        let limit = try #require(try JSONDecoder().decode(SyncReply.self, from: Data(reply.utf8)).refresh)
        budget.adopt(limit, at: now)
        #expect(budget.limit == .standard)
    }

    @Test(
        "survive every budget that a file can hold",
        arguments: [
            (Int.max, Int.max, 1.0), (.max, .min, 1e-300), (.min, .max, 180), (5, .max, 0), (1_000_000, 9, 1e9),
        ]
    )
    func hostileBudget(burst: Int, tokens: Int, seconds: Double) throws {
        // Given a file that was changed by one who knows its checksum
        let json = #"{"limit":{"burst":\#(burst),"seconds":\#(seconds)},"tokens":\#(tokens),"since":0}"#
        var budget = try JSONDecoder().decode(RefreshBudget.self, from: Data(json.utf8))
        // Then whatever is done with it works, and there are never more tokens than the burst
        _ = budget.take(at: now)
        _ = budget.take(at: now + 1e12)
        budget.giveBack()
        #expect((0...budget.limit.burst).contains(budget.tokens))
        budget.adopt(RefreshLimit(burst: 7, seconds: 10), at: now)
        #expect((0...7).contains(budget.tokens))
    }

    @Test("double after each failure up to a limit, and start again after a success")
    func backoff() {
        var backoff = Backoff(base: 1, limit: 60)
        let delays = (0..<8).map { _ in backoff.fail(random: 1) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60])
        backoff.succeed()
        #expect(backoff.fail(random: 0) == 0.5)
        #expect(backoff.fail(random: 0.5) == 1.5)
    }

    @Test(
        "obey Retry-After in seconds and as a date, and nothing that is neither",
        arguments: [
            ("120", 120), (" 0.5 ", 0.5), ("Mon, 21 Sep 2026 14:14:20 GMT", 60), ("Mon, 21 Sep 2020 14:14:20 GMT", 0),
            ("Monday, 21-Sep-26 14:14:20 GMT", 60), ("Mon Sep 21 14:14:20 2026", 60),
            ("Mon, 21 Sep 9999 14:14:20 GMT", 86_400), ("soon", nil), ("-1", nil), ("", nil), ("99999999", 86_400),
            (String(repeating: "9", count: 400), 86_400), ("+5", nil), ("0x10", nil), ("1e3", nil), ("nan", nil),
            ("inf", nil), ("5, 5", nil), ("1.2.3", nil), (String(repeating: "Mon, ", count: 1_000), nil),
            ("\u{661}", nil),
        ] as [(String, TimeInterval?)]
    )
    func retryAfter(header: String, expected: TimeInterval?) {
        #expect(RetryAfter.seconds(header, at: now) == expected)
    }

    @Test("count a date against the server's own clock where the answer says what that shows")
    func serverClock() {
        let header = "Mon, 21 Sep 2026 14:14:20 GMT"
        let date = "Mon, 21 Sep 2026 14:13:50 GMT"
        #expect(RetryAfter.seconds(header, date: date, at: now + 3 * 86_400) == 30)
        #expect(RetryAfter.seconds(header, date: "never", at: now) == 60)
    }

    @Test("spread devices that were told the same over a tenth more, and never less than they were told")
    func spread() {
        #expect(RetryAfter.spread(100, random: 0) == 100)
        #expect(RetryAfter.spread(100, random: 1) == 110)
        #expect(RetryAfter.spread(1, random: 1) == 2)
        #expect(RetryAfter.spread(86_400, random: 1) == 86_700)
        for random in [-1, 2, .infinity] { #expect((100...110).contains(RetryAfter.spread(100, random: random))) }
    }

    @Test("last over a launch, and are made no longer by a clock that is set back or by a file")
    func pause() throws {
        let pause = RequestPause(seconds: 100, at: now)
        #expect(pause.rest(at: now + 40) == 60)
        #expect(pause.rest(at: now + 100) == 0)
        #expect(pause.rest(at: now - 365 * 86_400) == 100)
        for (seconds, since) in [(1e300, 0.0), (-1e300, 0), (1, 1e300), (1e300, -1e300), (86_400, 1e12)] {
            let json = #"{"seconds":\#(seconds),"since":\#(since)}"#
            let hostile = try JSONDecoder().decode(RequestPause.self, from: Data(json.utf8))
            #expect((0...86_700).contains(hostile.rest(at: now)))
        }
    }
}
