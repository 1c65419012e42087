import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: a move that stops after any of its steps", .timeLimit(.minutes(20)))
struct MoveStepTests {
    /// The last step that a mover has done when it ends.
    enum Step: Int, CaseIterable, Sendable {
        case noted, prepared, closed, copied, placed, removed, ended
    }

    /// The steps of a mover, as `ShardedCardStore` does them.
    private struct Mover {
        let home: PostgresCardStore
        let shard: PostgresCardStore
        let begun = RangeMove(MoveStepTests.range, from: 0, to: 1)
        private let move = RangeMove(MoveStepTests.range, from: 0, to: 1, sourcePlacement: 1, targetPlacement: 0)

        func run(through last: Step) async throws {
            #expect(try await home.beginMove(begun))
            if last != .noted { try await go(on: last) }
        }

        /// Does the steps that follow the first one, whatever was done of them before.
        func go(on last: Step) async throws {
            let prepared = try await home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0)
            guard prepared != nil || last == .ended else { return }
            if last.rawValue >= Step.closed.rawValue { try await home.movePlacement(to: 1) }
            if last.rawValue >= Step.copied.rawValue {
                try await shard.takeUsers(try await home.leavingUsers(of: move), of: move)
            }
            if last.rawValue >= Step.placed.rawValue { try await home.placeMove(move) }
            if last.rawValue >= Step.removed.rawValue { try await home.removeUsers(of: move) }
            if last == .ended { try await home.endMove(move) }
        }
    }

    private static let range = SampleRank.count / 2..<SampleRank.count
    private static let users = (0..<40).map { UserID(rawValue: "user-\($0)") }
    private static let former = UserID(rawValue: "anonymous-1")
    private static let alias = UserAlias(label: "shop", name: "anna")
    private static let trigger = Trigger(
        id: TriggerID(rawValue: "send-1"),
        campaign: CampaignID(rawValue: "sale"),
        at: noon,
        due: .at(noon + 600),
        until: noon + 4_200
    )

    /// A user of the range, with all that a user can have; one who stays; and one of the range who was deleted.
    private let anna: UserID
    private let ben: UserID
    private let gone: UserID

    init() throws {
        anna = try #require(Self.users.first { Self.range.contains(SampleRank.of($0)) })
        ben = try #require(Self.users.first { !Self.range.contains(SampleRank.of($0)) })
        let others = (0..<100).map { UserID(rawValue: "gone-\($0)") }
        gone = try #require(others.first { Self.range.contains(SampleRank.of($0)) })
    }

    private func batch(_ user: UserID, _ numbers: [UInt64]) -> EventBatch {
        let events = numbers.map { DeviceEvent($0, .custom(name: "seen"), at: noon + Double($0)) }
        return EventBatch(user: user, events: events, receivedAt: noon + 20, device: "device")
    }

    /// Gives a store its users: six events are in the log afterwards.
    private func fill(_ store: any CardStore) async throws {
        let updates = (Self.users + [Self.former, gone]).map { UserUpdate(id: $0, custom: ["n": 1]) }
        try await store.updateUsers(updates, at: noon)
        for user in [anna, ben, Self.former] {
            let number = UInt64(user == anna ? 1 : user == ben ? 3 : 5)
            #expect(try await store.recordEvents(batch(user, [number, number + 1])).receipt.accepted == 2)
        }
        let given = NewAlias(alias: Self.alias, user: anna, newUser: anna)
        #expect(try await store.addAliases([given], at: noon) == [.given])
        let send = TriggerSend(Self.trigger, to: [TriggerSend.Recipient(anna)], isScheduled: true)
        #expect(try await store.sendTriggers(send).accepted == 1)
        let merge = Identification(user: .id(Self.former), identity: anna)
        #expect(try await store.identifyUsers([merge], at: noon) == [.done])
        #expect(try await store.deleteUser(gone, at: noon + 1, by: .command))
    }

    /// Checks that everything is there once: so many events of those that were filled in and one of each of two users.
    private func check(_ store: ShardedCardStore, _ epochs: [UserID: UInt64]) async throws {
        #expect(try await store.userCount() == 40)
        for user in Self.users {
            #expect(try await store.userRevision(of: user) != nil, "\(user)")
            #expect(store.userEpoch(of: user) == epochs[user], "\(user)")
        }
        let state = try #require(try await store.userState(of: anna, including: .all, dueBy: noon + 3_600))
        #expect(state.profile.custom == ["n": 1])
        #expect(state.history.events["seen"]?.count == 5)
        #expect(state.triggers.map(\.id) == [Self.trigger.id])
        let records = try await store.userRecords(of: [.id(anna), .alias(Self.alias), .id(ben)])
        #expect(records.map { $0.map(\.profile.id) } == [[anna], [anna], [ben]])
        #expect(records.first?.first?.aliases == [Self.alias])
        let log = try await store.eventPage(after: 0, EventFilter(), limit: 1_000)
        #expect(log.events.count == 8 && log.isLast)
        #expect(Set(log.events.map(\.id)).count == 8)
        // What a device sends again is known, and one of a user who was deleted is refused.
        #expect(try await store.recordEvents(batch(anna, [1])).receipt.duplicate == 1)
        #expect(try await store.recordEvents(batch(Self.former, [6])).receipt.duplicate == 1)
        await expectFailure(.erased) { try await store.recordEvents(batch(gone, [12])) }
    }

    @Test(arguments: Step.allCases)
    func `All of its users is there once, whoever goes on, and a mover that comes late changes nothing`(
        stop: Step
    ) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let single = try await place.open()
            try await fill(single)
            let epochs = Dictionary(uniqueKeysWithValues: Self.users.map { ($0, single.userEpoch(of: $0)) })
            try await single.close()
            try await place.add(urls[1])
            let store = try #require(try await place.open() as? ShardedCardStore)
            let mover = Mover(home: store.home, shard: try store.database(1))
            try await mover.run(through: stop)

            // Those who stay are served, and those of the range once the move goes on.
            #expect(try await store.recordEvents(batch(ben, [10])).receipt.accepted == 1)
            async let waiting = store.recordEvents(batch(anna, [9]))
            try await store.continueMove(at: .now)
            try await store.continueMove(at: .now + MoveWatch.patience * 2)
            let outcome = try await waiting
            #expect(outcome.receipt.accepted == 1)
            #expect(try await store.home.move() == nil)
            #expect(try await store.home.placedRanges().map(\.shard) == (stop == .noted ? [] : [0, 1]))
            try await check(store, epochs)

            if stop != .noted { try await mover.go(on: .ended) }
            try await check(store, epochs)
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            try await check(store, epochs)
            #expect(store.placement.owner(of: anna) == 1)
            #expect(try await store.unscheduleTrigger(Self.trigger.id, of: Self.trigger.campaign, at: noon + 2))
            try await store.close()
        }
    }
}
