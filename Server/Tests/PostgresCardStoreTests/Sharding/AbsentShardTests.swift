import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: a shard that doesn't answer when a server starts", .timeLimit(.minutes(10)))
struct AbsentShardTests {
    private static let users = (0..<100).map { UserID(rawValue: "user-\($0)") }

    /// Runs a test with a server's store whose shard is away, and what that store tells of it.
    private func withAbsent(
        _ body: (
            _ store: ShardedCardStore, _ notices: AsyncStream<ShardNotice>, _ comeBack: () async throws -> Void
        ) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            try await place.setShard(1, to: ShardedPlace.away)
            let (notices, noticed) = AsyncStream.makeStream(of: ShardNotice.self)
            let opened = try await ShardedCardStore.open(url: place.home, options: place.options) { noticed.yield($0) }
            let store = try #require(opened as? ShardedCardStore)
            do {
                try await body(store, notices) { try await place.setShard(1, to: urls[1]) }
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    @Test func `Users of other databases are served, those of the shard are refused for now, and it is named`()
        async throws
    {
        try await withAbsent { store, notices, _ in
            let own = try #require(Self.users.first { store.placement.owner(of: $0) == 0 })
            let other = try #require(Self.users.first { store.placement.owner(of: $0) == 1 })
            #expect(try await store.userRevision(of: own) == nil)
            await expectFailure(.unavailable) { try await store.userRevision(of: other) }
            await expectFailure(.unavailable) { try await store.userCount() }
            #expect(try await store.newestEventTime() == nil)

            // A campaign that is launched in the meantime is shown to those who are served.
            try await store.launch(.sample())
            #expect(try await store.loadCatalog().campaigns.count == 1)

            let notice = await notices.first { _ in true }
            #expect(notice?.shard == 1 && notice?.failure?.code == .unavailable)
            let checks = await store.healthChecks()
            #expect(checks.allSatisfy { $0.failure == nil })
            #expect(checks.first { $0.name == "shards" }?.detail?.hasPrefix("Shard 1: ") == true)
            #expect(store.traffic?.absentShards == 1)
        }
    }

    @Test func `A search finds users of the databases that answer and says so, and what needs all of them is refused`()
        async throws
    {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let all = try #require(try await place.open() as? ShardedCardStore)
            try await all.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            let whole = try await all.searchUsers(matching: "user-", after: nil, limit: 1_000)
            #expect(whole.users.count == 100 && !whole.isPartial)
            let own = whole.users.map(\.id).filter { all.placement.owner(of: $0) == 0 }
            let other = try #require(whole.users.map(\.id).first { all.placement.owner(of: $0) == 1 })
            try await all.close()

            try await place.setShard(1, to: ShardedPlace.away)
            let store = try await ShardedCardStore.open(url: place.home, options: place.options) { _ in }
            for text in ["user-", "ser-"] {
                let page = try await store.searchUsers(matching: text, after: nil, limit: 1_000)
                #expect(page.users.map(\.id) == own, "\(text)")
                #expect(page.isPartial, "\(text)")
            }
            await expectFailure(.unavailable) { try await store.listUsers(startingWith: "", after: nil, limit: 10) }
            // Without the address of the user after which it goes on, a page would begin with the first user.
            let after = UserSearchPlace(user: other, isInside: false)
            await expectFailure(.unavailable) {
                try await store.searchUsers(matching: "ser-", after: after, limit: 10)
            }
            // An export without what another database has of the user, a report and a deletion would be wrong.
            await expectFailure(.unavailable) { try await store.userRecords(of: [.id(own[0])]) }
            await expectFailure(.unavailable) { try await store.campaignTotals(of: []) }
            await expectFailure(.unavailable) { try await store.dayTotals(from: Day(number: 0)) }
            // What a page shows says which database is missing from it.
            let (count, absent) = try await PartialReads.permitted {
                _ = try await store.campaignTotals(of: [])
                _ = try await store.dayTotals(from: Day(number: 0))
                return try await store.userCount()
            }
            #expect(count == Int64(own.count) && absent == [1])
            await expectFailure(.unavailable) {
                try await PartialReads.permitted { try await store.userRecords(of: [.id(own[0])]) }
            }
            await expectFailure(.unavailable) { try await store.deleteUser(own[0], at: noon, by: command) }
            #expect(try await store.userRevision(of: own[0]) != nil)
            try await store.close()
        }
    }

    @Test func `A shard that is back is used, with what was launched in the meantime, and listeners are told`()
        async throws
    {
        try await withAbsent { store, notices, comeBack in
            try await store.launch(.sample())
            let changes = store.changes()
            try await comeBack()
            let notice = await notices.first { $0.failure == nil }
            #expect(notice?.shard == 1)
            #expect(await changes.contains(.anything))
            for user in Self.users { #expect(try await store.userRevision(of: user) == nil) }
            #expect(try await store.userCount() == 0)
            let replicated = try await store.database(1).replicatedGeneration()
            #expect(try await replicated == store.catalogGeneration())
            #expect(await store.healthChecks().first { $0.name == "shards" }?.detail == "all answer")
            #expect(store.traffic?.absentShards == 0)
        }
    }

    @Test func `A node follows moves between other databases while a shard that it has open doesn't answer`()
        async throws
    {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            for url in urls.dropFirst() { #expect(try await place.add(url)) }
            let store = try #require(try await place.open() as? ShardedCardStore)
            let own = try #require(Self.users.first { store.placement.owner(of: $0) == 0 })
            let other = try #require(Self.users.first { store.placement.owner(of: $0) == 2 })
            try await store.updateUsers([UserUpdate(id: own)], at: noon)
            try await store.database(2).close()

            // As where the home has given users away.
            try await store.home.movePlacement(to: 1)
            #expect(try await store.userRevision(of: own) != nil)
            try await store.updateUsers([UserUpdate(id: own, custom: ["n": 1])], at: noon)
            #expect(store.placement.generations == [1, 0, 0])
            await expectFailure(.unavailable) { try await store.userRevision(of: other) }
            try await store.close()
        }
    }

    @Test func `No users are moved from a database while a merge there waits for another one`() async throws {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            for url in urls.dropFirst() { #expect(try await place.add(url)) }
            let store = try #require(try await place.open() as? ShardedCardStore)
            let guests = (0..<100).map { UserID(rawValue: "anonymous-\($0)") }
            let guest = try #require(guests.first { store.placement.owner(of: $0) == 1 })
            let identity = try #require(Self.users.first { store.placement.owner(of: $0) == 2 })
            try await store.updateUsers([guest, identity].map { UserUpdate(id: $0) }, at: noon)
            // A range that isn't where it belongs.
            let begun = RangeMove(0..<10, from: 0, to: 1)
            #expect(try await store.home.beginMove(begun))
            let move = try #require(try await store.home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0))
            try await store.home.placeMove(move)
            try await store.home.endMove(move)

            try await store.database(2).close()
            #expect(try await store.database(1).beginDeparture(of: guest, to: identity, at: noon))
            let source = try store.database(1)
            await expectFailure(.unavailable) { try await store.waitForDepartures(from: source, looks: 1) }
            // Copies in a database that is away can't be told from users who come to it.
            await expectFailure(.unavailable) { try await store.balance(looks: 1) { _ in } }
            // Otherwise nobody would serve the range until the other database is back.
            #expect(try await store.home.move() == nil)
            try await store.close()
        }
    }

    @Test func `A store that is closed in the meantime ends, with its changes`() async throws {
        try await withAbsent { store, _, _ in
            let changes = store.changes()
            try await store.close()
            for await _ in changes {}
            await expectFailure(.unavailable) { try store.database(1) }
        }
    }

    @Test func `Commands need every database`() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            try await place.add(urls[1])
            try await place.setShard(1, to: ShardedPlace.away)
            await expectFailure(.unavailable) {
                try await ShardedCardStore.open(url: place.home, options: place.options)
            }
        }
    }
}
