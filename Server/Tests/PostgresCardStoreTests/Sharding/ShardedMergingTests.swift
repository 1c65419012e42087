import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: merging users of two databases", .timeLimit(.minutes(20)))
struct ShardedMergingTests {
    @Test("A merge that another node has ended has the outcome that it had there", arguments: [true, false])
    func ended(isRefused: Bool) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try #require(try await place.open() as? ShardedCardStore)
            func first(_ prefix: String, in shard: Int) throws -> UserID {
                let users = (0..<100).map { UserID(rawValue: "\(prefix)-\($0)") }
                return try #require(users.first { store.placement.owner(of: $0) == shard })
            }
            let (user, identity) = (try first("anonymous", in: 0), try first("user", in: 1))
            let owners = isRefused ? [user, identity] : [user]
            try await store.updateUsers([user, identity].map { UserUpdate(id: $0) }, at: noon)
            for owner in owners {
                let alias = UserAlias(label: "shop", name: owner.rawValue)
                #expect(
                    try await store.addAliases([NewAlias(alias: alias, user: owner, newUser: owner)], at: noon)
                        == [.given]
                )
            }
            let departure = Departure(user: user, identity: identity, at: noon + 10)
            #expect(try await store.home.beginDeparture(of: user, to: identity, at: departure.at))
            for _ in 0..<2 {
                #expect(try await store.finish(departure, from: 0) == (isRefused ? .labelTaken : .done))
            }
            #expect((try await store.userRevision(of: user) != nil) == isRefused)
            try await store.close()
        }
    }

    @Test("A merge ends once all databases know of it, and isn't begun while one of them doesn't answer")
    func absent() async throws {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            for url in urls.dropFirst() { #expect(try await place.add(url)) }
            let all = try #require(try await place.open() as? ShardedCardStore)
            func users(_ prefix: String, in shard: Int) -> [UserID] {
                (0..<100).map { UserID(rawValue: "\(prefix)-\($0)") }.filter { all.placement.owner(of: $0) == shard }
            }
            let (user, near) = (try #require(users("anonymous", in: 0).first), try #require(users("user", in: 0).first))
            let second = try #require(users("anonymous", in: 0).last)
            let identity = try #require(users("user", in: 1).first)
            try await all.updateUsers([user, second, near, identity].map { UserUpdate(id: $0) }, at: noon)
            try await all.close()

            try await place.setShard(2, to: ShardedPlace.away)
            let opened = try await ShardedCardStore.open(url: place.home, options: place.options) { _ in }
            let store = try #require(opened as? ShardedCardStore)
            let departure = Departure(user: user, identity: identity, at: noon + 10)
            #expect(try await store.home.beginDeparture(of: user, to: identity, at: departure.at))
            await expectFailure(.unavailable) { try await store.finish(departure, from: 0) }
            // In one database or in two.
            for other in [near, identity] {
                let merge = Identification(user: .id(second), identity: other)
                await expectFailure(.unavailable) { try await store.identifyUsers([merge], at: noon) }
            }
            #expect(try await store.home.unfinishedDepartures(limit: 10) == [departure])
            #expect(try await store.userRevision(of: second) != nil)
            try await store.close()

            try await place.setShard(2, to: urls[2])
            let whole = try #require(try await place.open() as? ShardedCardStore)
            #expect(try await whole.finish(departure, from: 0) == .done)
            #expect(try await whole.home.unfinishedDepartures(limit: 10) == [])
            #expect(try await whole.userRevision(of: user) == nil)
            #expect(try await whole.userCount() == 3)
            try await whole.close()
        }
    }

    @Test("A merge within one database of which the others weren't told is told to them when it is asked for again")
    func untold() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try #require(try await place.open() as? ShardedCardStore)
            func first(_ prefix: String) throws -> UserID {
                let users = (0..<100).map { UserID(rawValue: "\(prefix)-\($0)") }
                return try #require(users.first { store.placement.owner(of: $0) == 0 })
            }
            let (user, identity) = (try first("anonymous"), try first("user"))
            let (home, shard) = (store.home, try store.database(1))
            try await store.updateUsers([UserUpdate(id: identity)], at: noon)
            // The user was at the shard before, and has left events there.
            let event = DeviceEvent(1, .custom(name: "seen"), at: noon)
            let batch = EventBatch(user: user, events: [event], receivedAt: noon, device: "device")
            #expect(try await shard.recordEvents(batch).receipt.accepted == 1)
            let rows = try #require(try await shard.exportUser(user))
            try await home.importUser(rows)
            try await shard.removeMovedUser(user)

            let merge = Identification(user: .id(user), identity: identity)
            #expect(try await !home.hasMerged(user, into: identity))
            #expect(try await home.identifyUsers([merge], at: noon) == [.done])
            #expect(try await home.hasMerged(user, into: identity))
            #expect(try await shard.eventIDs(of: identity, after: [], limit: 10).isEmpty)

            for _ in 0..<2 {
                #expect(try await store.identifyUsers([merge], at: noon) == [.userUnknown])
                #expect(try await shard.eventIDs(of: identity, after: [], limit: 10).count == 1)
            }
            #expect(try await store.deleteUser(identity, at: noon + 1, by: .command))
            #expect(try await shard.eventIDs(of: user, after: [], limit: 10).isEmpty)
            try await store.close()
        }
    }
}
