import CardStore
import Testing
import WireJSON

@testable import PlacardCommands
@testable import ShardedCardStore

@Suite("The command `placard shards`")
struct ShardsCommandTests {
    private static let home = ShardedCardStore.Shard(id: 0, users: 1, server: "db1:5432", failure: nil)
    private static let shard = ShardedCardStore.Shard(id: 1, users: 20, server: "db2:5432", failure: nil)
    private static let away = ShardedCardStore.Shard(
        id: 2,
        users: nil,
        server: nil,
        failure: StoreError(.unavailable, "The host can't be reached.")
    )

    @Test func `A database is listed with its users and its server, one that doesn't answer with the reason`() {
        #expect(ShardsList.line(of: Self.home) == "home: 1 user, db1:5432")
        #expect(ShardsList.line(of: Self.shard) == "shard 1: 20 users, db2:5432")
        #expect(ShardsList.line(of: Self.away) == "shard 2: The host can't be reached.")
    }

    @Test func `As JSON, the number of users of a database that doesn't answer is null`() {
        #expect(ShardsList.object(of: Self.shard) == ["shard": 1, "users": 20])
        let away: JSONValue = ["shard": 2, "users": .null, "failure": "The host can't be reached."]
        #expect(ShardsList.object(of: Self.away) == away)
    }

    @Test func `A balance leaves out the databases that are named, and keeps newer copies unless it is told`() throws {
        let plain = try ShardsBalance.parse([])
        #expect(plain.without.isEmpty && !plain.removeCopies && !plain.json)
        let full = try ShardsBalance.parse(["--without", "1", "--without", "2", "--remove-copies", "--json"])
        #expect(full.without == [1, 2] && full.removeCopies && full.json)
        #expect(throws: (any Error).self) { try ShardsBalance.parse(["--without", "db2"]) }
    }

    @Test func `A new address of a shard is told to programs where that is asked for`() throws {
        let set = try ShardsSet.parse(["2", "postgres://db3/cards", "--json"])
        #expect(set.shard == 2 && set.json)
        #expect(try !ShardsSet.parse(["2", "postgres://db3/cards"]).json)
    }

    @Test func `A shard is given up only where that is said, with what is lost`() throws {
        let plain = try ShardsRemove.parse(["2"])
        #expect(plain.shard == 2 && !plain.lost && !plain.json)
        #expect(try ShardsRemove.parse(["2", "--lost"]).lost)
        let loss = ShardedCardStore.ShardLoss(share: 0.331, events: 1)
        let lines = ShardsRemove.lines(of: loss, 2)
        #expect(lines.contains { $0.contains("34 % of users") } && lines.contains { $0.contains("1 event,") })
        let json: JSONValue = ["shard": 2, "lost_share": 0.331, "lost_events": 1]
        #expect(ShardsRemove.object(of: loss, 2) == json)
    }

    @Test func `What comes of a move to or from a shard that is given up is said`() {
        func loss(_ move: ShardedCardStore.LostMoveOutcome) -> ShardedCardStore.ShardLoss {
            ShardedCardStore.ShardLoss(share: 0, events: 0, move: move)
        }
        #expect(ShardsRemove.lines(of: loss(.returned(to: 0)), 2).last?.contains("are in the home") == true)
        #expect(ShardsRemove.lines(of: loss(.kept(by: 3)), 2).last?.contains("are in shard 3") == true)
        #expect(ShardsRemove.lines(of: loss(.lost), 2).last?.contains("who were being moved") == true)
        let returned: JSONValue = ["outcome": "returned", "to": 0]
        #expect(ShardsRemove.object(of: loss(.returned(to: 0)), 2)["move"] == returned)
        let kept: JSONValue = ["outcome": "kept", "by": 3]
        #expect(ShardsRemove.object(of: loss(.kept(by: 3)), 2)["move"] == kept)
        let lost: JSONValue = ["outcome": "lost"]
        #expect(ShardsRemove.object(of: loss(.lost), 2)["move"] == lost)
    }

    @Test func `Other shards that are lost are named with one that is, and users that others keep are said`() throws {
        let both = try ShardsRemove.parse(["2", "--lost", "--also-lost", "3", "--also-lost", "4"])
        #expect(both.alsoLost == [3, 4])
        #expect(throws: (any Error).self) { try ShardsRemove.parse(["2", "--also-lost", "3"]) }
        let loss = ShardedCardStore.ShardLoss(share: 0.5, events: 0, kept: [0, 3])
        let lines = ShardsRemove.lines(of: loss, 2)
        let kept = lines.filter { $0.contains("was called off") }
        #expect(kept.count == 2 && kept.first?.contains("the home") == true && kept.last?.contains("shard 3") == true)
        let numbers: JSONValue = [0, 3]
        #expect(ShardsRemove.object(of: loss, 2)["kept_by"] == numbers)
    }
}
