import Foundation
import Testing

@testable import ContentCards

@Suite("Delays and impressions in random use")
struct PaceModelTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test("A device gets no more refreshes than the burst and what time brought, as the clock jumps", arguments: 1...10)
    func budget(seed: Int) {
        var dice = Dice(state: UInt64(seed))
        let limit = RefreshLimit(burst: Int.random(in: 1...6, using: &dice), seconds: 64)
        var budget = RefreshBudget(limit: limit, at: now)
        var (date, forward, granted, back) = (now, 0.0, 0, 0)
        for _ in 0..<500 {
            let step = Double([0, 1, 16, 64, 640, -64, -6_400][Int.random(in: 0..<7, using: &dice)])
            date += step
            forward += max(0, step)
            if let wait = budget.take(at: date) {
                #expect((0...64).contains(wait))
                // Whoever waits that long is granted one, and not before.
                var (early, late) = (budget, budget)
                let isEarly = early.take(at: date + wait - 1) != nil
                #expect(wait < 1 || isEarly)
                #expect(late.take(at: date + wait) == nil)
            } else {
                granted += 1
                if Int.random(in: 0..<8, using: &dice) == 0 {
                    budget.giveBack()
                    back += 1
                }
            }
            #expect((0...limit.burst).contains(budget.tokens))
            #expect(Double(granted - back) <= Double(limit.burst) + forward / 64)
        }
    }

    @Test("What is kept of a budget is the same after a launch")
    func keptBudget() throws {
        var budget = RefreshBudget(limit: RefreshLimit(burst: 3, seconds: 64), at: now)
        for _ in 0..<2 { _ = budget.take(at: now + 8) }
        var read = try JSONDecoder().decode(RefreshBudget.self, from: JSONEncoder().encode(budget))
        #expect(read == budget && read.tokens == 1)
        let waits = [8.0, 8, 72].map { read.take(at: now + $0) }
        #expect(waits == [nil, 64, nil])
    }

    @Test("Delays never grow beyond their limit, nor leave the range that chance has, however often something fails")
    func backoff() {
        var backoff = Backoff(base: 1, limit: 300)
        for number in 0..<2_000 {
            let full = min(300, pow(2, Double(min(number, 20))))
            let random = [0, 0.5, 1, -7, 9][number % 5]
            let delay = backoff.fail(random: random)
            #expect(delay == full * (0.5 + 0.5 * min(max(random, 0), 1)))
        }
        #expect(backoff.failures == 2_000)
        backoff.succeed()
        #expect(backoff.fail(random: 1) == 1)
    }

    @Test("A session goes on after just as long as it may be left, and no longer, and never for another user")
    func sessions() {
        let (ann, bob) = (CurrentUser(id: "ann"), CurrentUser(id: "bob"))
        func isNew(_ user: CurrentUser, after seconds: TimeInterval) -> Bool {
            var session = SessionState(timeout: 10)
            _ = session.enter(user: ann, at: 100)
            session.leave(at: 200)
            // A second notice that the app was left doesn't make the session longer.
            session.leave(at: 205)
            return session.enter(user: user, at: 200 + seconds)
        }
        #expect(!isNew(ann, after: 10) && isNew(ann, after: 10.001) && isNew(bob, after: 1))
        var disabled = ann
        disabled.generation = 2
        #expect(isNew(disabled, after: 1))
        var session = SessionState(timeout: 10)
        session.leave(at: 0)
        let entries = [session.enter(user: ann, at: 5), session.enter(user: ann, at: 10_000)]
        #expect(entries == [true, false] && session.isOpen)
        // That the app was left is told late, after it is back: the session goes on.
        let news = [session.leave(at: 9_999), session.leave(at: 10_000), session.leave(at: 10_001)]
        #expect(news == [false, true, true] && !session.isOpen)
        let begins = session.enter(user: ann, at: 10_010)
        #expect(!begins)
    }

    @Test("Of users who left, the newest five are kept for thirty days, whatever the clock says", arguments: 1...6)
    func formerUsers(seed: Int) throws {
        var dice = Dice(state: UInt64(seed))
        var former = FormerUsers()
        var left: [(folder: String, at: Date)] = []
        var (date, user) = (now, String?.none)
        for _ in 0..<200 {
            let next = Int.random(in: 0..<12, using: &dice) == 0 ? nil : "u\(Int.random(in: 0..<9, using: &dice))"
            if next != user {
                former.change(from: user, to: next, at: date)
                left.removeAll { entry in [user, next].contains { $0.map(FileName.hash) == entry.folder } }
                if let user { left.append((FileName.hash(user), date)) }
                left = left.suffix(5)
                user = next
            }
            date += Double([0, 86_400, 10 * 86_400, -40 * 86_400][Int.random(in: 0..<4, using: &dice)])
            let kept = left.filter { date.timeIntervalSince($0.at) <= 30 * 86_400 }.map(\.folder)
            #expect(former.folders(at: date) == Set(kept))
            former = try JSONDecoder().decode(FormerUsers.self, from: JSONEncoder().encode(former))
        }
    }

    @Test("A card counts once in a presentation, once it was on screen for long enough", arguments: 1...10)
    func impressions(seed: Int) {
        var dice = Dice(state: UInt64(seed))
        let ids = ["a", "b", "caf\u{E9}", "cafe\u{301}"]
        var tracker = ImpressionTracker()
        var (since, counted): ([[UInt8]: Double], Set<[UInt8]>) = ([:], [])
        var time = 1_000.0
        for _ in 0..<400 {
            time += [0, 0.03125, 0.0625, 0.125, 60][Int.random(in: 0..<5, using: &dice)]
            switch Int.random(in: 0..<12, using: &dice) {
            case 0:
                tracker.pause()
                since = [:]
            case 1:
                tracker.beginPresentation()
                (since, counted) = ([:], [])
            default:
                let visible = ids.filter { _ in Int.random(in: 0..<3, using: &dice) > 0 }
                let keys = visible.map { Array($0.utf8) }
                since = since.filter { keys.contains($0.key) }
                for key in keys where since[key] == nil { since[key] = time }
                let due = keys.filter { !counted.contains($0) && time - (since[$0] ?? time) >= 0.1 }
                counted.formUnion(due)
                #expect(tracker.update(visible: visible, at: time).map { Array($0.utf8) } == due)
            }
            let next = since.filter { !counted.contains($0.key) }.values.min().map { $0 + 0.1 }
            #expect(tracker.nextDeadline == next)
        }
    }

    @Test("A card that is listed twice at once counts once")
    func listedTwice() {
        var tracker = ImpressionTracker()
        _ = tracker.update(visible: ["a", "a"], at: 0)
        #expect(tracker.update(visible: ["a", "a"], at: 1) == ["a"])
    }

    @Test(
        "A year of two digits is one of the next fifty, or of the past",
        arguments: [("76", 2_076), ("77", 2_077), ("78", 1_978), ("26", 2_026), ("99", 1_999), ("00", 2_000)]
    )
    func years(digits: String, year: Int) {
        // It is 2027.
        let today = Date(timeIntervalSince1970: 1_800_000_000)
        let long = HTTPDate.time(of: "Sun, 15 Nov \(year) 08:00:00 GMT", at: today)
        #expect(long != nil && HTTPDate.time(of: "Sunday, 15-Nov-\(digits) 08:00:00 GMT", at: today) == long)
    }
}
