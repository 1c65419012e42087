import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing
import WireJSON

@testable import ShardedCardStore

@Suite("Sharded: deleting users", .timeLimit(.minutes(20)))
struct ShardedDeletionTests {
    /// Runs a test with a store of a home and a shard, and a user of each.
    private func withStore(
        _ body: (_ store: ShardedCardStore, _ home: UserID, _ shard: UserID) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try #require(try await place.open() as? ShardedCardStore)
            let users = (0..<100).map { UserID(rawValue: "user-\($0)") }
            let own = try #require(users.first { store.placement.owner(of: $0) == 0 })
            let other = try #require(users.first { store.placement.owner(of: $0) == 1 })
            do {
                try await store.updateUsers([own, other].map { UserUpdate(id: $0) }, at: noon)
                try await body(store, own, other)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    @Test func `What an interrupted deletion has left elsewhere goes with the next one`() async throws {
        try await withStore { store, own, other throws in
            let alias = UserAlias(label: "shop", name: "anna")
            let given = NewAlias(alias: alias, user: other, newUser: other)
            #expect(try await store.addAliases([given], at: noon) == [.given])
            #expect(try await store.database(1).deleteUser(other, at: noon, by: .command))
            #expect(try await store.home.aliasOwners(of: [alias]) == [alias: other])

            #expect(try await store.deleteUsers([.id(other), .id(own)], at: noon, by: .command) == [own])
            #expect(try await store.home.aliasOwners(of: [alias]).isEmpty)
            // Whose device comes again is refused all the same.
            await expectFailure(.erased) {
                try await store.recordDevice(DeviceContext(locale: "en"), of: other, at: noon + 1)
            }
        }
    }

    @Test func `What writes lines of a file sees who was deleted since, with limits by the places of the others`()
        async throws
    {
        try await withStore { store, own, _ throws in
            let (early, large) = (UserID(rawValue: "early"), UserID(rawValue: "large"))
            try await store.home.updateUsers([UserUpdate(id: early)], at: noon)
            for (user, time) in [(early, noon + 1), (own, noon + 3)] {
                #expect(try await store.home.deleteUser(user, at: time, by: .command))
            }
            let custom = (0...UserLimits().attributes).reduce(into: [:] as JSONObject) { $0["a\($1)"] = 1 }
            let updates = [
                UserUpdate(id: own), UserUpdate(id: early), UserUpdate(id: large, custom: custom), UserUpdate(id: own),
            ]
            let written = try await store.home.importUsers(updates, uploadedAt: noon + 2, at: noon + 4)
            #expect(written.erased == [own])
            #expect(written.excesses.map { $0 == nil } == [true, false])
            #expect(try await store.home.userRevision(of: own) == nil)
            #expect(try await store.home.userRevision(of: early) != nil)
            // Whoever is there again isn't one who was deleted.
            try await store.home.updateUsers([UserUpdate(id: own)], at: noon + 5)
            let again = try await store.home.importUsers([UserUpdate(id: own)], uploadedAt: noon + 2, at: noon + 6)
            #expect(again.excesses == [nil] && again.erased.isEmpty)
        }
    }

    @Test func `Whoever was deleted before there was a shard stays so, also where no user was left`() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let users = (0..<100).map { UserID(rawValue: "user-\($0)") }
            let user = try #require(users.first { SampleRank.of($0) >= SampleRank.count / 2 })
            let single = try await place.open()
            try await single.updateUsers([UserUpdate(id: user)], at: noon)
            #expect(try await single.deleteUser(user, at: noon, by: .command))
            try await single.close()

            // The home is the only one that remembers.
            #expect(try await !place.add(urls[1]))
            for _ in 0..<2 {
                let store = try #require(try await place.open() as? ShardedCardStore)
                await expectFailure(.erased) {
                    try await store.recordDevice(DeviceContext(locale: "en"), of: user, at: noon + 1)
                }
                try await store.close()
                try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            }
            let store = try #require(try await place.open() as? ShardedCardStore)
            #expect(store.placement.owner(of: user) == 1)
            try await store.close()
        }
    }
}
