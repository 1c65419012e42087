import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: merging a user into one of another database", .timeLimit(.minutes(20)))
struct DepartureTests {
    private let anonymous = UserID(rawValue: "anonymous-1")
    /// An event of which the id was made at noon.
    private let event = DeviceEvent(
        id: EventID(high: UInt64(noon * 1_000) << 16 | 0x7000, low: 0x8000_0000_0000_0001),
        kind: .custom(name: "open"),
        at: noon
    )

    private var departure: Departure { Departure(user: anonymous, identity: someone, at: noon + 10) }

    private func batch(_ user: UserID) -> EventBatch {
        EventBatch(user: user, events: [event], receivedAt: noon + 1, device: "device-1")
    }

    @Test("All of the user is merged once, however often each step is done")
    func merged() async throws {
        try await ShardNode.withTwo { home, shard in
            let (source, target) = (home.store, shard.store)
            try await source.updateUsers([UserUpdate(id: anonymous, custom: ["n": 1])], at: noon)
            #expect(try await source.recordEvents(batch(anonymous)).receipt.accepted == 1)
            try await target.updateUsers([UserUpdate(id: someone, custom: ["m": 2])], at: noon)

            for _ in 0..<2 {
                #expect(try await source.beginDeparture(of: anonymous, to: someone, at: departure.at))
            }
            #expect(try await source.unfinishedDepartures(limit: 10) == [departure])
            let error = await #expect(throws: StoreError.self) {
                try await source.updateUsers([UserUpdate(id: anonymous, custom: ["n": 3])], at: noon)
            }
            #expect(error?.isMisplaced == true)
            let rows = try #require(try await source.departingRows(of: departure))
            for _ in 0..<2 { #expect(try await target.merge(rows, of: departure) == .done) }
            for _ in 0..<2 { try await source.finishDeparture(departure) }
            #expect(try await source.departingRows(of: departure) == nil)

            let state = try #require(try await target.userState(of: someone, including: .all, dueBy: noon))
            #expect(state.profile.custom == ["m": 2, "n": 1])
            #expect(state.history.events["open"]?.count == 1)
            #expect(try await source.userRevision(of: anonymous) == nil)
            #expect(try await source.userCount() == 0)
            #expect(try await target.userCount() == 1)
            // What the device still sends is the identity's, who has had it.
            let late = await #expect(throws: StoreError.self) { try await source.recordEvents(batch(anonymous)) }
            #expect(late?.departedIdentity == someone)
            #expect(try await target.recordEvents(batch(someone)).receipt.duplicate == 1)
            #expect(try await source.userEvents(of: someone, limit: 10).map(\.id) == [event.id])
        }
    }

    @Test("A user who can't be merged stays, also where an attempt comes late")
    func refused() async throws {
        try await ShardNode.withTwo { home, shard in
            let (source, target) = (home.store, shard.store)
            for (store, user) in [(source, anonymous), (target, someone)] {
                try await store.updateUsers([UserUpdate(id: user)], at: noon)
                let own = UserAlias(label: "shop", name: user.rawValue)
                _ = try await store.addAliases([NewAlias(alias: own, user: user, newUser: user)], at: noon)
            }
            #expect(try await source.beginDeparture(of: anonymous, to: someone, at: departure.at))
            let rows = try #require(try await source.departingRows(of: departure))
            #expect(try await target.merge(rows, of: departure) == .labelTaken)
            try await source.cancelDeparture(departure)
            try await source.updateUsers([UserUpdate(id: anonymous, custom: ["n": 1])], at: noon)
            // By now nothing would be in the way.
            #expect(try await target.deleteUser(someone, at: noon, by: .command))
            #expect(try await target.merge(rows, of: departure) == .labelTaken)
            try await source.finishDeparture(departure)
            #expect(try await source.userRevision(of: anonymous) != nil)
            #expect(try await target.userCount() == 0)
        }
    }

    @Test("A backend that creates the user again gets one without the former one's events")
    func again() async throws {
        try await ShardNode.withTwo { home, shard in
            let (source, target) = (home.store, shard.store)
            #expect(try await source.recordEvents(batch(anonymous)).receipt.accepted == 1)
            #expect(try await source.beginDeparture(of: anonymous, to: someone, at: departure.at))
            let rows = try #require(try await source.departingRows(of: departure))
            #expect(try await target.merge(rows, of: departure) == .done)
            try await source.finishDeparture(departure)
            try await source.updateUsers([UserUpdate(id: anonymous)], at: noon + 20)
            #expect(try await source.userEvents(of: anonymous, limit: 10).isEmpty)
            #expect(try await source.userEvents(of: someone, limit: 10).count == 1)
            #expect(try await source.recordEvents(batch(anonymous)).receipt.accepted == 1)
        }
    }

    @Test("Nothing is left of a deleted user in databases where they don't live")
    func forgotten() async throws {
        try await ShardNode.withTwo { home, shard in
            let (source, target) = (home.store, shard.store)
            #expect(try await source.recordEvents(batch(anonymous)).receipt.accepted == 1)
            #expect(try await source.beginDeparture(of: anonymous, to: someone, at: departure.at))
            let early = await #expect(throws: StoreError.self) {
                try await source.forgetElsewhere(someone, at: noon + 20)
            }
            #expect(early?.isMisplaced == true)
            let rows = try #require(try await source.departingRows(of: departure))
            #expect(try await target.merge(rows, of: departure) == .done)
            try await source.finishDeparture(departure)
            #expect(try await target.deleteUser(someone, at: noon + 20, by: .command))
            try await source.forgetElsewhere(someone, at: noon + 20)
            #expect(try await source.userEvents(of: someone, limit: 10).isEmpty)
            #expect(try await source.searchEvents(matching: EventLogFilter(), before: nil, limit: 10).events.isEmpty)
            let error = await #expect(throws: StoreError.self) { try await source.recordEvents(batch(anonymous)) }
            #expect(error?.code == .erased)
        }
    }

    @Test("A user who moves is who they were, and what was counted isn't counted again")
    func moved() async throws {
        try await ShardNode.withTwo { home, shard in
            let (source, target) = (home.store, shard.store)
            try await source.updateUsers([UserUpdate(id: someone, custom: ["n": 1])], at: noon)
            #expect(try await source.recordEvents(batch(someone)).receipt.accepted == 1)
            let before = try await source.userState(of: someone, including: .all, dueBy: noon)
            let rows = try #require(try await source.exportUser(someone))
            // A mover that died after the first time is followed by another.
            for _ in 0..<2 { try await target.importUser(rows) }
            try await source.removeMovedUser(someone)
            #expect(try await target.userState(of: someone, including: .all, dueBy: noon) == before)
            #expect(try await source.userRevision(of: someone) == nil)
            #expect(try await [source.userCount(), target.userCount()] == [0, 1])
            #expect(try await target.recordEvents(batch(someone)).receipt.duplicate == 1)
        }
    }
}
