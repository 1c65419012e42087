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
}
