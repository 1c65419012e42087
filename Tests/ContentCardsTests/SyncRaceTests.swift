import Foundation
import Testing

@testable import ContentCards

private let expired = RequestFailure.status(401, code: "token_expired", message: nil, retryAfter: nil)
private let broken = RequestFailure.status(500, code: "internal", message: nil, retryAfter: nil)

@Suite("The sync machine where things happen at once")
struct SyncRaceTests {
    @Test("looks at no answer of a request of before, whichever user is there now")
    func staleAnswers() {
        var table = SyncTable()
        let first = table.want(.manual, 1).sent[0].id
        _ = table.switchUser(to: "b")
        _ = table.switchUser(to: "a")
        let second = table.want(.manual, 2).sent
        #expect(second.map(\.user) == ["a"] && second.first?.id != first)
        for late in [SyncMachine.SyncAnswer.success(nil), .failure(expired), .failure(broken)] {
            #expect(table.take(.answered(request: first, late, backlog: [:])).isEmpty)
        }
        #expect(table.machine.backoff.failures == 0)
        #expect(table.answer(.success(nil)).ending(of: 2) == [nil])
        // And an answer that comes twice is one.
        #expect(table.take(.answered(request: second[0].id, .failure(broken), backlog: [:])).isEmpty)
    }

    @Test("ends whoever waits for a flush once where content cards are disabled, and sends nothing more")
    func disabledFlush() {
        var table = SyncTable()
        _ = table.take(.backlog(["a": 3]))
        let sent = table.take(.flush(1)).sent
        let actions = table.setEnabled(false)
        #expect(actions.ending(of: 1).map { $0?.code } == [.disabled])
        #expect(actions.contains(.cancel(request: sent[0].id)))
        #expect(table.take(.flush(2)).ending(of: 2).map { $0?.code } == [.disabled])
        table.pass(1_000)
        #expect(table.take(.wake).isEmpty)
        // What waited is sent when they are enabled again.
        #expect(table.setEnabled(true).sent.map(\.kind) == [.events])
    }

    @Test("keeps a flush going over a switch of users, whose events both belong to it")
    func switchedFlush() {
        var table = SyncTable()
        _ = table.take(.backlog(["a": 1]))
        _ = table.take(.flush(1))
        #expect(table.switchUser(to: "b").sent.map(\.user) == ["a"])
        let next = table.answer(.success(nil), backlog: ["b": 1])
        #expect(next.sent.map(\.user) == ["b"] && next.ending(of: 1).isEmpty)
        #expect(table.answer(.success(nil), backlog: [:]).ending(of: 1) == [nil])
    }

    @Test("does for nobody what only those wanted who gave up, but takes the answer")
    func forgotten() {
        var table = SyncTable(hasTokenProvider: true)
        #expect(table.want(.manual, 1).contains(.askToken(user: "a")))
        _ = table.take(.forget(1))
        let sent = table.take(.token(user: "a", .provided("t")))
        #expect(sent.sent.count == 1)
        _ = table.want(.manual, 2)
        _ = table.take(.forget(2))
        _ = table.take(.backlog(["a": 1]))
        _ = table.take(.flush(3))
        _ = table.take(.forget(3))
        let actions = table.answer(.failure(broken))
        #expect((1...3).allSatisfy { actions.ending(of: $0).isEmpty })
        #expect(table.machine.backoff.failures == 1)
    }

    @Test("ends who waits where the provider fails, and asks it again when its delay is over, not before")
    func failingProvider() {
        var table = SyncTable(hasTokenProvider: true)
        _ = table.want(.manual, 1)
        let failed = table.take(.token(user: "a", .failed))
        let error = failed.ending(of: 1).first ?? nil
        #expect(error?.code == .unauthorized && error?.retryAfter == 1)
        #expect(failed.contains(.report(.tokenFailed(consecutiveFailures: 1))) && failed.contains(.wake(at: 1)))
        #expect(!table.want(.manual, 2).contains(.askToken(user: "a")))
        table.pass(0.9)
        #expect(!table.take(.wake).contains(.askToken(user: "a")))
        table.pass(0.2)
        #expect(table.take(.wake) == [.askToken(user: "a")])
        // A second failure that nobody asked for counts nothing.
        #expect(table.take(.token(user: "b", .failed)).isEmpty)
        #expect(table.take(.token(user: "a", .provided("t"))).sent.first?.token == "t")
    }

    @Test("gives each user's token to that user's requests alone, whoever is asked first")
    func tokensOfUsers() {
        var table = SyncTable(hasTokenProvider: true)
        _ = table.take(.backlog(["a": 1]))
        _ = table.want(.manual, 1)
        let asked = table.switchUser(to: "b")
        #expect(!asked.contains(.askToken(user: "b")), "Nothing of theirs is wanted yet.")
        #expect(table.want(.identify).contains(.askToken(user: "b")))
        let first = table.take(.token(user: "b", .provided("of b"))).sent
        #expect(first.map(\.user) == ["b"] && first.map(\.token) == ["of b"])
        _ = table.take(.token(user: "a", .provided("of a")))
        let second = table.answer(.success(nil), backlog: ["a": 1]).sent
        #expect(second.map(\.user) == ["a"] && second.map(\.token) == ["of a"] && second.map(\.kind) == [.events])
    }

    @Test("lets live signals through once when the server's rest is over, however many came in it")
    func liveInRest() {
        var table = SyncTable()
        _ = table.want(.manual, 1)
        _ = table.answer(.failure(.status(503, code: nil, message: nil, retryAfter: 60)))
        let until = table.machine.blockedUntil
        #expect(until >= 60)
        for _ in 0..<50 {
            #expect(table.want(.live).sent.isEmpty)
            table.pass(1)
        }
        table.pass(until - table.uptime - 0.5)
        #expect(table.take(.wake).sent.isEmpty)
        table.pass(0.5)
        #expect(table.take(.wake).sent.count == 1)
        #expect(table.answer(.success(nil)).sent.isEmpty)
    }

    @Test("drops with a session what nobody waits for, and sends events without delay")
    func sessionEnd() {
        var table = SyncTable()
        _ = table.want(.manual, 1)
        _ = table.answer(.failure(broken))
        #expect(table.machine.pendingRequest != nil)
        _ = table.take(.backlog(["a": 1]))
        let ended = table.take(.sessionEnded)
        #expect(table.machine.pendingRequest == nil && ended.sent.isEmpty)
        table.pass(2)
        #expect(table.take(.wake).sent.map(\.kind) == [.events])
        _ = table.answer(.success(nil), backlog: [:])
        #expect(table.take(.backlog(["a": 1])).sent.count == 1)
    }

    @Test("takes another delay of events at once, and none that is negative or no number")
    func flushDelay() {
        var table = SyncTable()
        #expect(table.take(.backlog(["a": 1])) == [.wake(at: 2)])
        for wrong in [-1, -TimeInterval.infinity, TimeInterval.nan] {
            #expect(table.take(.flushDelay(wrong)) == [.wake(at: 2)])
        }
        table.pass(1)
        #expect(table.take(.flushDelay(30)) == [.wake(at: 31)])
        #expect(table.take(.flushDelay(0)).sent.map(\.kind) == [.events])
    }

    @Test("takes smaller batches for the user alone on whose events the server failed, and grows them again")
    func batches() {
        var table = SyncTable()
        // Those of users of before are sent first.
        #expect(table.take(.backlog(["a": 250, "b": 250])).sent.map(\.eventLimit) == [250])
        #expect(table.take(.flush(1)).sent.isEmpty)
        let failed = table.answer(.failure(broken))
        #expect(failed.contains(.saveLimit(user: "b", 125)) && failed.ending(of: 1).first??.code == .serverUnavailable)
        let other = table.take(.flush(2)).sent
        #expect(other.map(\.user) == ["a"] && other.map(\.eventLimit) == [250])
        let smaller = table.answer(.success(nil), backlog: ["b": 250]).sent
        #expect(smaller.map(\.user) == ["b"] && smaller.map(\.eventLimit) == [125])
        let grown = table.answer(.success(nil), backlog: ["b": 125])
        #expect(grown.contains(.saveLimit(user: "b", nil)) && grown.sent.map(\.eventLimit) == [250])
    }

    @Test("believes that an event is to blame once a request without it was answered, and only then")
    func blame() {
        var table = SyncTable()
        _ = table.take(.backlog(["a": 1]))
        _ = table.take(.flush(1))
        #expect(table.answer(.failure(broken)).contains(.noteSuspicion(user: "a")))
        // The server fails without the event, too: nobody is to blame.
        #expect(table.want(.manual, 2).sent.map(\.eventLimit) == [0])
        let down = table.answer(.failure(broken))
        #expect(!down.contains(.countFailure(user: "a")))
        #expect(table.want(.manual, 3).sent.map(\.eventLimit) == [0])
        #expect(table.answer(.success(nil)).filter { $0 == .countFailure(user: "a") }.count == 1)
        // Then it rests, and other requests do without it.
        #expect(table.want(.manual, 4).sent.map(\.eventLimit) == [0])
        #expect(!table.answer(.success(nil)).contains(.countFailure(user: "a")))
        table.pass(30)
        #expect(table.take(.wake).sent.map(\.eventLimit) == [1])
    }

    @Test("blames no event for a connection that was lost while the app was away, where the system ends it")
    func lostWhileAway() {
        let lost = SyncMachine.SyncAnswer.failure(.connectionLost("x"))
        var table = SyncTable()
        _ = table.take(.backlog(["a": 1]))
        #expect(table.take(.flush(1)).sent.count == 1)
        _ = table.take(.sessionEnded)
        #expect(!table.answer(lost).contains(.noteSuspicion(user: "a")))
        #expect(table.take(.flush(2)).sent.map(\.eventLimit) == [250])
        #expect(!table.answer(lost).contains(.noteSuspicion(user: "a")) && table.machine.limits.isEmpty)
        // What the server itself says counts there as anywhere.
        _ = table.take(.flush(3))
        #expect(table.answer(.failure(broken)).contains(.noteSuspicion(user: "a")))
        var launched = SyncTable()
        _ = launched.take(.away)
        _ = launched.take(.backlog(["a": 1]))
        _ = launched.take(.flush(1))
        #expect(!launched.answer(lost).contains(.noteSuspicion(user: "a")))
        _ = launched.take(.sessionStarted)
        _ = launched.take(.flush(2))
        #expect(launched.answer(lost).contains(.noteSuspicion(user: "a")))
    }

    @Test("goes on with what an earlier launch has kept, also where that can be read only later")
    func recovered() {
        var table = SyncTable()
        var budget = RefreshBudget(at: table.now)
        while budget.take(at: table.now) == nil {}
        let pace = SyncState.RecordedPace(budget: budget, blockedUntil: 60, limits: ["a": 5], suspects: ["a"])
        _ = table.take(.recovered(pace))
        #expect(table.machine.limits == ["a": 5] && table.machine.suspicions == ["a": .failure])
        #expect(table.want(.manual, 1).ending(of: 1).map { $0?.retryAfter } == [60])
        table.pass(61)
        #expect(table.want(.manual, 2).ending(of: 2).map { $0?.code } == [.rateLimited])
    }

    @Test("forgets what it suspected with the events that it suspected")
    func settledSuspicions() {
        var table = SyncTable()
        _ = table.take(.backlog(["a": 1]))
        _ = table.take(.flush(1))
        _ = table.answer(.failure(broken))
        #expect(table.machine.limits == ["a": 1] && table.machine.suspicions == ["a": .failure])
        _ = table.take(.backlog([:]))
        #expect(table.machine.limits.isEmpty && table.machine.suspicions.isEmpty)
        _ = table.take(.backlog(["a": 9]))
        #expect(table.want(.manual, 2).sent.map(\.eventLimit) == [250])
    }

    @Test("adopts the server's limit of refreshes with the answer, and saves it where it is another one")
    func limits() {
        var table = SyncTable()
        _ = table.want()
        let limit = RefreshLimit(burst: 2, seconds: 10)
        #expect(table.answer(.success(limit)).contains(.saveBudget))
        var sent = 0
        for waiter in 1...5 {
            let actions = table.want(.manual, waiter)
            sent += actions.sent.count
            if !actions.sent.isEmpty { #expect(!table.answer(.success(limit)).contains(.saveBudget)) }
        }
        #expect(sent == 1)
        table.pass(10)
        #expect(table.want(.manual, 9).sent.count == 1)
    }
}
