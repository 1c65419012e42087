import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

/// Makes ids, and holds the thread that asks for one when a test says so.
private final class HeldIDs: IDSource {
    private let ids = UUIDv7Source()
    private let isHolding = Locked(false)
    private let end = DispatchSemaphore(value: 0)
    private let arrival: AsyncStream<Void>.Continuation
    private let arrivals: AsyncStream<Void>

    init() {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        self.arrivals = arrivals
        self.arrival = arrival
    }

    func next() -> String {
        let isHeld = isHolding.withLock { isHolding in
            defer { isHolding = false }
            return isHolding
        }
        if isHeld {
            arrival.yield()
            end.wait()
        }
        return ids.next()
    }

    /// Holds the next one who asks.
    func hold() { isHolding.withLock { $0 = true } }

    /// Returns when a thread is held.
    func held() async { _ = await arrivals.first { _ in true } }

    /// Lets the thread go on.
    func release() { end.signal() }
}

@Suite("A wipe", .timeLimit(.minutes(20)))
struct WipeTests {
    private let bed = TestBed()

    @Test("sends nothing of what was pending, and nothing under the id of before")
    func pending() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch()
        await client.identify("ann")
        await client.startSession()
        try await client.flush()
        let before = try #require(bed.transport.requests.last.map(SentBody.init)).device
        #expect(client.logEvent("private") && client.pendingEventCount == 1)
        let count = bed.transport.requests.count
        await client.wipe()
        try await client.flush()
        #expect(bed.transport.requests.count == count && client.pendingEventCount == 0)
        await client.identify("bea")
        _ = await client.updates.first { $0.lastSync != nil }
        try await client.flush()
        let later = bed.transport.requests.dropFirst(count).map(SentBody.init)
        #expect(!later.isEmpty && later.allSatisfy { $0.user == "bea" && $0.device != before })
        #expect(!bed.sentEvents.contains { $0.name == "private" })
        await client.close()
    }

    @Test("keeps nothing that was just being logged, as an action on a card of before", arguments: [true, false])
    func beingLogged(isAction: Bool) async throws {
        bed.serve([.fixture("a")])
        let ids = HeldIDs()
        let client = bed.launch { $0.ids = ids }
        await client.identify("ann")
        _ = await client.updates.first { $0.lastSync != nil }
        let (results, result) = AsyncStream.makeStream(of: Bool.self)
        ids.hold()
        Thread.detachNewThread {
            result.yield(isAction ? client.logImpression(cardID: "a") : client.logEvent("private"))
        }
        await ids.held()
        await client.wipe()
        // Also where the same user is back by then, whose log is another one.
        await client.identify("ann")
        ids.release()
        #expect(await results.first { _ in true } == false)
        #expect(client.pendingEventCount == 0)
        #expect(client.logEvent("new"))
        try await client.flush()
        #expect(bed.sentEvents.map(\.name) == ["new"])
        await client.close()
    }

    @Test("forgets the tokens of users: who comes back needs a new one")
    func tokens() async throws {
        bed.serve([])
        let client = bed.launch()
        await client.identify("ann", token: "first")
        _ = await client.updates.first { $0.lastSync != nil }
        await client.wipe()
        await client.identify("ann")
        _ = await client.updates.first { $0.lastSync != nil && $0.userID == "ann" }
        let tokens = bed.transport.requests(to: "v1/sync").map { $0.headers["Placard-User-Token"] }
        #expect(tokens == ["first", nil])
        await client.close()
    }

    @Test("leaves the token of a user who has come since, and no other")
    func later() {
        let moment = Moment(now: Date(timeIntervalSince1970: 0), uptime: 0)
        var machine = SyncMachine(settings: .init(), budget: RefreshBudget(at: moment.now))
        let later = CurrentUser(id: "bea", generation: 1)
        for user in ["ann", "bea"] {
            _ = machine.handle(.token(user: BytewiseText(user), .given("of \(user)")), for: later, at: moment)
        }
        _ = machine.handle(.wiped, for: later, at: moment)
        #expect(machine.authorizations.keys.map(\.text) == ["bea"])
    }

    @Test("leaves no feed on the disk, whatever was still to be written")
    func files() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch()
        await client.identify("ann")
        _ = await client.updates.first { $0.lastSync != nil }
        client.logImpression(cardID: "a")
        await client.wipe()
        await client.endSession()
        #expect(bed.files(named: "feed").isEmpty && bed.files(named: "events").isEmpty)
        await client.close()
        #expect(bed.files(named: "feed").isEmpty && bed.files(named: "events").isEmpty)
        #expect(bed.launch().feed.userID == nil)
    }

    @Test("has deleted everything before the engine ends its work: another user may come in between")
    func atOnce() async {
        bed.serve([.fixture("a")])
        let isWiping = Locked(false)
        let counts = Collected<Int>()
        let client = bed.launch { [bed] configuration in
            configuration.random = {
                // The engine asks for a number at each of its steps.
                if isWiping.withLock({ $0 }) { counts.add(bed.files(named: "feed").count) }
                return 1
            }
        }
        await client.identify("ann")
        _ = await client.updates.first { $0.lastSync != nil }
        await client.endSession()
        #expect(bed.files(named: "feed").count == 1)
        isWiping.withLock { $0 = true }
        await client.wipe()
        #expect(!counts.all.isEmpty && counts.all.allSatisfy { $0 == 0 })
        await client.close()
    }
}
