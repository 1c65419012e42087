import Foundation
import Testing

@testable import ContentCards

private let expired = RequestFailure.status(401, code: "token_expired", message: nil, retryAfter: nil)

@Suite("The sync machine")
struct SyncMachineTests {
    @Test("merges requests that are made while one is under way, and ends each once")
    func merging() {
        var table = SyncTable()
        #expect(table.want(.manual, 1).sent.count == 1)
        #expect(table.want(.pulled, 2).sent.isEmpty)
        let actions = table.answer(.success(nil))
        #expect(actions.ending(of: 1) == [nil])
        #expect(actions.ending(of: 2) == [nil])
        #expect(actions.sent.isEmpty)
    }

    @Test("syncs once more after a live signal that came during a sync")
    func liveDuringSync() {
        var table = SyncTable()
        _ = table.want()
        _ = table.want(.live)
        _ = table.want(.live)
        #expect(table.answer(.success(nil)).sent.count == 1)
        #expect(table.answer(.success(nil)).sent.isEmpty)
    }

    @Test("lets live signals through when the budget is empty, and ends other requests with the time to wait")
    func budget() throws {
        var table = SyncTable()
        for _ in 0..<5 {
            #expect(table.want().sent.count == 1)
            _ = table.answer(.success(nil))
        }
        let refused = try #require(table.want(.manual, 1).ending(of: 1).first)
        #expect(refused?.code == .rateLimited)
        #expect(refused?.retryAfter == 180)
        #expect(table.want(.live).sent.count == 1)
    }

    @Test("makes up for an automatic refresh as soon as the budget allows")
    func deferred() {
        var table = SyncTable()
        for _ in 0..<5 {
            _ = table.want()
            _ = table.answer(.success(nil))
        }
        #expect(table.want(.sessionStart) == [.wake(at: 180)])
        table.pass(180)
        #expect(table.take(.wake).sent.count == 1)
    }

    @Test("refreshes an opened feed only when the last sync is over 60 seconds old, unknown, or in the future")
    func feedOpened() {
        for (age, expected) in [(59, 0), (60, 0), (61, 1), (-3600, 1), (nil, 1)] as [(TimeInterval?, Int)] {
            var table = SyncTable()
            let lastSync = age.map { table.now - $0 }
            let actions = table.take(.want(.feedOpened, waiter: 1, lastSync: lastSync))
            #expect(actions.sent.count == expected)
            #expect(actions.ending(of: 1).count == 1 - expected)
        }
    }

    @Test("asks for nothing before Retry-After is over, whoever wants it")
    func retryAfter() throws {
        var table = SyncTable()
        _ = table.want(.manual, 1)
        let failure = RequestFailure.status(429, code: "rate_limited", message: nil, retryAfter: 30)
        let actions = table.answer(.failure(failure))
        #expect(actions.ending(of: 1).first??.retryAfter == 30)
        // Then nobody comes back earlier, and not all at the same time
        #expect(actions.contains(.wake(at: 33)))
        table.pass(32)
        #expect(table.want(.pulled, 2).ending(of: 2).first??.code == .rateLimited)
        #expect(table.want(.live).sent.isEmpty)
        table.pass(1)
        #expect(table.take(.wake).sent.count == 1)
    }

    @Test("tries again with growing delays in a session, and at once when a caller asks")
    func backoff() {
        var table = SyncTable()
        _ = table.want(.sessionStart)
        var wakes: [TimeInterval] = []
        for _ in 0..<5 {
            let actions = table.answer(.failure(.unreachable("no network")))
            let wake = actions.compactMap { if case .wake(let at) = $0 { at } else { nil } }.first ?? -1
            wakes.append(wake - table.uptime)
            table.pass(wake - table.uptime)
            #expect(table.take(.wake).sent.count == 1)
        }
        #expect(wakes == [1, 2, 4, 8, 16])
        _ = table.answer(.failure(.timedOut))
        #expect(table.want(.manual, 9).sent.count == 1)
    }

    @Test("asks again once a live signal shows that the server can be reached, however long it could not be")
    func liveAfterOffline() {
        var table = SyncTable()
        _ = table.want(.sessionStart)
        for _ in 0..<9 {
            _ = table.answer(.failure(.unreachable("no network")))
            table.pass(300)
            #expect(table.take(.wake).sent.count == 1)
        }
        _ = table.answer(.failure(.unreachable("no network")))
        let due = table.uptime + 2
        #expect(table.want(.live) == [.wake(at: due)])
        table.pass(2)
        #expect(table.want(.live).sent.count == 1)
        // A server that answers, and fails, gets the time that it needs.
        _ = table.answer(.failure(.invalidReply))
        table.pass(60)
        #expect(table.want(.live).sent.isEmpty)
    }

    @Test("asks the provider once for a rejected token, and uses the new one while the waiters wait on")
    func tokenRefresh() {
        var table = SyncTable(hasTokenProvider: true)
        _ = table.take(.token(user: "a", .given("old")))
        #expect(table.want(.manual, 1).sent.first?.token == "old")
        let refused = table.answer(.failure(expired))
        #expect(refused.filter { $0 == .askToken(user: "a") }.count == 1)
        #expect(refused.ending(of: 1).isEmpty)
        #expect(table.want(.pulled, 2).isEmpty)
        let retried = table.take(.token(user: "a", .provided("new")))
        #expect(retried.sent.first?.token == "new")
        let done = table.answer(.success(nil))
        #expect(done.ending(of: 1) == [nil] && done.ending(of: 2) == [nil])
    }

    @Test("keeps the token that the app gave while a request with the former one was under way")
    func tokenDuringRequest() {
        for hasProvider in [true, false] {
            var table = SyncTable(hasTokenProvider: hasProvider)
            _ = table.take(.token(user: "a", .given("old")))
            #expect(table.want(.manual, 1).sent.first?.token == "old")
            _ = table.take(.token(user: "a", .given("new")))
            let retried = table.answer(.failure(expired))
            #expect(retried.sent.first?.token == "new")
            #expect(retried.count == 1, "Nothing is asked for or reported: \(retried)")
            #expect(table.answer(.success(nil)).ending(of: 1) == [nil])
        }
    }

    @Test("looks at no answer of the provider after the app gave a token by itself")
    func tokenDuringQuestion() {
        for late in [SyncMachine.TokenAnswer.provided("old"), .failed] {
            var table = SyncTable(hasTokenProvider: true)
            #expect(table.want(.manual, 1).contains(.askToken(user: "a")))
            #expect(table.take(.token(user: "a", .given("new"))).sent.first?.token == "new")
            #expect(table.take(.token(user: "a", late)).isEmpty)
            _ = table.answer(.success(nil))
            #expect(table.want(.manual, 2).sent.first?.token == "new")
        }
    }

    @Test("asks the provider once where a stream and a request have the same token rejected")
    func tokenRejectedTwice() {
        var table = SyncTable(hasTokenProvider: true)
        _ = table.take(.token(user: "a", .given("old")))
        _ = table.want(.manual, 1)
        _ = table.take(.token(user: "a", .refused("old")))
        let refused = table.answer(.failure(expired))
        #expect(refused.filter { $0 == .askToken(user: "a") }.count == 1)
        #expect(!refused.contains { if case .report = $0 { true } else { false } })
        #expect(table.take(.token(user: "a", .provided("new"))).sent.first?.token == "new")
    }

    @Test("waits longer each time a fresh token is rejected, and pauses after fifty until the next session")
    func tokenPause() {
        var table = SyncTable(hasTokenProvider: true)
        _ = table.want(.sessionStart)
        var asked = 0
        for _ in 0..<200 {
            var actions = table.take(.token(user: "a", .provided("bad")))
            asked += 1
            actions = table.answer(.failure(expired))
            if actions.contains(.report(.tokenPaused)) { break }
            if actions.contains(.askToken(user: "a")) { continue }
            table.pass(300)
            #expect(table.take(.wake).contains(.askToken(user: "a")))
        }
        #expect(asked == 50)
        table.pass(100_000)
        #expect(table.take(.wake).isEmpty)
        #expect(table.want(.manual, 1).ending(of: 1).first??.code == .unauthorized)
        #expect(table.take(.sessionStarted).contains(.askToken(user: "a")))
    }

    @Test("ends requests with unauthorized when a token is rejected and nobody can give another")
    func noProvider() {
        var table = SyncTable()
        _ = table.want(.manual, 1)
        #expect(table.answer(.failure(expired)).ending(of: 1).first??.code == .unauthorized)
        _ = table.take(.token(user: "a", .given("new")))
        #expect(table.machine.inFlightRequest?.request.token == "new")
    }

    @Test("looks at no answer for a user who was switched away, and tells who waited")
    func userSwitch() {
        var table = SyncTable()
        let id = table.want(.manual, 1).sent[0].id
        let actions = table.switchUser(to: "b")
        #expect(actions.contains(.cancel(request: id)))
        #expect(actions.ending(of: 1).first??.code == .userChanged)
        #expect(table.take(.answered(request: id, .success(nil), backlog: [:])).isEmpty)
        #expect(table.want(.identify).sent.first?.user == "b")
    }

    @Test("delivers the events of an earlier user as theirs, with their token")
    func earlierUser() {
        var table = SyncTable()
        _ = table.take(.token(user: "a", .given("token-a")))
        _ = table.take(.token(user: "b", .given("token-b")))
        _ = table.take(.backlog(["a": 3]))
        let sent = table.switchUser(to: "b").sent
        #expect(sent.map(\.user) == ["a"])
        #expect(sent.map(\.token) == ["token-a"])
        #expect(sent.map(\.kind) == [.events])
    }

    @Test("sends events with the next sync, or by themselves when they have waited")
    func events() {
        var table = SyncTable()
        #expect(table.take(.backlog(["a": 1])) == [.wake(at: 2)])
        table.pass(2)
        let sent = table.take(.wake).sent
        #expect(sent.map(\.kind) == [.events])
        _ = table.take(.backlog([:]))
        _ = table.answer(.success(nil))
        _ = table.take(.backlog(["a": 1]))
        let sync = table.want().sent.first
        #expect(sync?.kind == .sync)
        #expect(sync?.eventLimit == 250)
    }

    @Test("tries with half the events when the server finds them too many, and gives up one that is too much alone")
    func oversize() {
        var table = SyncTable()
        _ = table.take(.backlog(["a": 300]))
        table.pass(2)
        _ = table.take(.wake)
        var limits: [Int] = []
        var gaveUp = false
        while !gaveUp, limits.count < 20 {
            limits.append(table.machine.inFlightRequest?.request.eventLimit ?? 0)
            let refusal = RequestFailure.status(413, code: "body_too_large", message: nil, retryAfter: nil)
            // A request without events is taken, so it was the event
            let actions = table.answer(limits.last == 0 ? .success(nil) : .failure(refusal))
            gaveUp = limits.last == 0 && actions.contains(.giveUpEvent(user: "a", code: "body_too_large"))
        }
        #expect(limits == [250, 125, 62, 31, 15, 7, 3, 1, 0])
    }

    @Test("ends every wait: disabled, closed, without a user, and with an endpoint that cannot be")
    func obstacles() {
        var table = SyncTable()
        _ = table.want(.manual, 1)
        #expect(table.setEnabled(false).ending(of: 1).first??.code == .disabled)
        #expect(table.want(.manual, 2).ending(of: 2).first??.code == .disabled)
        _ = table.setEnabled(true)
        _ = table.want(.manual, 3)
        #expect(table.take(.closed).ending(of: 3).first??.code == .closed)
        var nobody = SyncTable(user: nil)
        #expect(nobody.want(.manual, 1).ending(of: 1).first??.code == .noUser)
        var nowhere = SyncTable(isEndpointValid: false)
        #expect(nowhere.want(.manual, 1).ending(of: 1).first??.code == .invalidEndpoint)
        #expect(nowhere.take(.flush(2)).ending(of: 2).first??.code == .invalidEndpoint)
    }

    @Test("finishes a flush when nothing is left, and fails it when a request fails")
    func flush() {
        var table = SyncTable()
        #expect(table.take(.flush(1)).ending(of: 1) == [nil])
        _ = table.take(.backlog(["a": 1]))
        #expect(table.take(.flush(2)).sent.count == 1)
        #expect(table.answer(.failure(.unreachable("x"))).ending(of: 2).first??.code == .offline)
        #expect(table.take(.flush(3)).sent.count == 1)
        #expect(table.answer(.success(nil), backlog: [:]).ending(of: 3) == [nil])
    }
}
