import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: the names of users' histories", .timeLimit(.minutes(20)))
struct UserEpochTests {
    private static let users = (0..<60).map { UserID(rawValue: "user-\($0)") }
    /// Gives a database's history another name, as an operator does after a snapshot of the disk was put back.
    private static let restoration = "UPDATE store SET epoch = epoch # 77"

    /// The names that users' devices get, and the databases that have the users.
    private struct Look {
        let epochs: [UserID: UInt64]
        let owners: [UserID: Int]
        let whole: UInt64

        init(_ store: ShardedCardStore, _ users: [UserID]) {
            epochs = Dictionary(uniqueKeysWithValues: users.map { ($0, store.userEpoch(of: $0)) })
            owners = Dictionary(uniqueKeysWithValues: users.map { ($0, store.placement.owner(of: $0)) })
            whole = store.wholeEpoch
        }
    }

    private func look(at place: ShardedPlace) async throws -> Look {
        let store = try #require(try await place.open() as? ShardedCardStore)
        let look = Look(store, Self.users)
        try await store.close()
        return look
    }

    @Test func `A shard that was restored changes the names of its users alone, and the home those of all`()
        async throws
    {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            for url in urls.dropFirst() { #expect(try await place.add(url)) }
            let first = try await look(at: place)
            #expect(Set(first.owners.values) == [0, 1, 2])
            try await ShardedPlace.execute(Self.restoration, in: urls[1])
            let second = try await look(at: place)
            for user in Self.users {
                #expect((second.epochs[user] != first.epochs[user]) == (first.owners[user] == 1), "\(user)")
            }
            // Whoever goes through all users has to begin from the start, whichever database was restored.
            #expect(second.whole != first.whole)
            try await ShardedPlace.execute(Self.restoration, in: urls[0])
            let third = try await look(at: place)
            #expect(third.whole != second.whole)
            for user in Self.users { #expect(third.epochs[user] != second.epochs[user], "\(user)") }
        }
    }

    @Test func `Nodes that can't reach a shard give the names that others give, and keep them once they reach it`()
        async throws
    {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            // Otherwise an absent shard has the same part as one that is there.
            try await ShardedPlace.execute(Self.restoration, in: urls[1])
            let all = try await look(at: place)
            try await place.setShard(1, to: ShardedPlace.away)
            let (notices, noticed) = AsyncStream.makeStream(of: ShardNotice.self)
            let opened = try await ShardedCardStore.open(url: place.home, options: place.options) { noticed.yield($0) }
            let node = try #require(opened as? ShardedCardStore)
            let catalog = node.epoch
            for user in Self.users where all.owners[user] == 0 {
                #expect(node.userEpoch(of: user) == all.epochs[user], "\(user)")
            }
            #expect(try await node.loadCatalog().epoch == catalog)

            try await place.setShard(1, to: urls[1])
            let notice = await notices.first { $0.failure == nil }
            #expect(notice?.shard == 1)
            #expect(Look(node, Self.users).epochs == all.epochs)
            #expect(node.epoch == catalog)
            #expect(try await node.loadCatalog().epoch == catalog)
            try await node.close()
        }
    }

    @Test func `Users who move keep the names, and no name comes back that a restored database had`() async throws {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            let single = try await place.open()
            try await single.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            let before = Dictionary(uniqueKeysWithValues: Self.users.map { ($0, single.userEpoch(of: $0)) })
            try await single.close()

            // A shard whose history had another name before it got anyone, as after a failover.
            try await place.add(urls[1])
            try await ShardedPlace.execute(Self.restoration, in: urls[1])
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            let moved = try await look(at: place)
            #expect(moved.epochs == before)
            #expect(Set(moved.owners.values) == [0, 1])

            try await ShardedPlace.execute("UPDATE store SET epoch = epoch # 1024", in: urls[1])
            let restored = try await look(at: place)
            for user in Self.users {
                #expect((restored.epochs[user] != before[user]) == (moved.owners[user] == 1), "\(user)")
            }

            // A new database has no part in any name: without what the range keeps, the first names were back.
            try await place.add(urls[2])
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            let spread = try await look(at: place)
            #expect(spread.epochs == restored.epochs)
            #expect(spread.whole == restored.whole)
            #expect(Self.users.contains { moved.owners[$0] == 1 && spread.owners[$0] == 2 })
        }
    }

    @Test func `Ranges of one shard are one where their histories are, and change shards with what each has`()
        async throws
    {
        try await TemplateDatabase.withCopy { url in
            let home = try await ShardNode.open(url, shard: 0).store
            func move(_ range: Range<Int64>, from source: Int64, to target: Int64, _ history: UInt64) async throws {
                let begun = RangeMove(range, from: source, to: target)
                #expect(try await home.beginMove(begun))
                let move = try #require(try await home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0))
                for _ in 0..<2 { try await home.placeMove(move, changing: history) }
                try await home.endMove(move)
            }
            try await move(10..<20, from: 0, to: 1, 6)
            try await move(20..<30, from: 0, to: 1, 6)
            try await move(30..<40, from: 0, to: 1, 5)
            let apart = [
                PlacedRange(start: 0, shard: 0), PlacedRange(start: 10, shard: 1, history: 6),
                PlacedRange(start: 30, shard: 1, history: 5), PlacedRange(start: 40, shard: 0),
            ]
            #expect(try await home.placedRanges() == apart)
            try await move(25..<35, from: 1, to: 2, .max)
            let split = [
                PlacedRange(start: 0, shard: 0), PlacedRange(start: 10, shard: 1, history: 6),
                PlacedRange(start: 25, shard: 2, history: 6 ^ .max),
                PlacedRange(start: 30, shard: 2, history: 5 ^ .max),
                PlacedRange(start: 35, shard: 1, history: 5), PlacedRange(start: 40, shard: 0),
            ]
            #expect(try await home.placedRanges() == split)
            try await move(25..<35, from: 2, to: 1, .max)
            #expect(try await home.placedRanges() == apart)
            try await home.close()
        }
    }
}
