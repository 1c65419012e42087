import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("The current user", .timeLimit(.minutes(20)))
struct CurrentUserTests {
    private let clock = ManualClock()
    private var store: FeedStore { FeedStore(clock: clock, sink: CardEventSink()) }
    private let reply = SyncReply(cursor: "2", replaces: false, cards: [.fixture("late")])

    @Test("is another one after a wipe: the answer to a request of before is not shown to the same user")
    func wiped() {
        let store = store
        store.open(DeviceRecord(deviceID: "d", user: "a"), FeedState())
        let before = store.current
        #expect(store.merge(reply, generation: before.generation))
        store.forgetUser(deviceID: "e")
        #expect(store.switchUser(to: "a", load: { _ in FeedState() }, save: { _, _ in }))
        #expect(store.current.id == before.id && store.current != before)
        #expect(!store.merge(reply, generation: before.generation))
        #expect(store.snapshot.cards.isEmpty)
        #expect(store.cursor(generation: before.generation) == nil)
        #expect(store.device.deviceID == "e" && store.device.user == "a")
    }

    @Test("is another one after disabling and enabling, and is kept in between")
    func disabled() {
        let store = store
        store.open(DeviceRecord(deviceID: "d", user: "a"), FeedState())
        let before = store.current
        store.disable()
        #expect(store.current == CurrentUser(id: "a", isEnabled: false, generation: before.generation + 1))
        #expect(store.device.isDisabled && store.device.user == "a")
        store.enable { _ in FeedState() }
        #expect(store.current.isEnabled && store.current != before)
        #expect(!store.merge(reply, generation: before.generation))
        // And enabling what is enabled changes nothing
        let enabled = store.current
        store.enable { _ in FeedState() }
        #expect(store.current == enabled)
    }

    @Test("has a device of which nothing is kept after a wipe, and none of the tokens that came before")
    func renewed() {
        let store = store
        store.open(DeviceRecord(deviceID: "d", budget: RefreshBudget(at: clock.now)), FeedState())
        _ = store.switchUser(to: "a", token: "secret", load: { _ in FeedState() }, save: { _, _ in })
        store.disable()
        store.forgetUser(deviceID: "e")
        let device = store.device
        #expect(device.deviceID == "e" && device.user == nil && device.budget == nil && device.isDisabled)
        #expect(store.takeTokens().tokens.isEmpty)
    }

    @Test("ends what the machine did for another user, whichever input comes first", arguments: 0..<6)
    func noticed(number: Int) throws {
        let moment = Moment(now: Date(timeIntervalSince1970: 0), uptime: 0)
        var machine = SyncMachine(settings: .init(), budget: RefreshBudget(at: moment.now))
        let want = SyncMachine.Input.want(.manual, waiter: 1, lastSync: nil)
        _ = machine.handle(want, for: CurrentUser(id: "a"), at: moment)
        let id = try #require(machine.inFlightRequest?.request.id)
        let inputs: [SyncMachine.Input] = [
            .wake, .backlog([:]), .sessionStarted, .flush(2), .want(.live, waiter: nil, lastSync: nil),
            .answered(request: id, .success(nil), backlog: [:]),
        ]
        let other = CurrentUser(id: number.isMultiple(of: 2) ? "b" : "a", generation: 1)
        let actions = machine.handle(inputs[number], for: other, at: moment)
        #expect(actions.first == .cancel(request: id))
        let isSame = other.id == "a"
        #expect(actions.dropFirst().first == .finish([1], isSame ? .disabled : .userChanged))
        #expect(machine.inFlightRequest?.request.id != id)
    }

    @Test("begins one session when identified, also where the client begins its work at the same time")
    func oneSession() async throws {
        let bed = TestBed()
        bed.serve([])
        let client = bed.launch(sessions: .automatic)
        await client.identify("a")
        _ = await client.updates.first { $0.lastSync != nil }
        await client.startSession()
        try await client.flush()
        #expect(bed.sentEvents.count { $0.type == "session_start" } == 1)
        await client.disable()
        await client.enable()
        try await client.flush()
        #expect(bed.sentEvents.count { $0.type == "session_start" } == 2)
        await client.close()
    }
}
