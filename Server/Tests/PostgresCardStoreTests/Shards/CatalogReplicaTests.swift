import CardModel
import CardStore
import CardStoreConformance
import Testing
import WireJSON

@testable import PostgresCardStore

@Suite("PostgreSQL: a shard's copy of the home's catalog", .timeLimit(.minutes(20)))
struct CatalogReplicaTests {
    private static let sale = CampaignID(rawValue: "sale")

    /// A home of another history, as an operator names it after a snapshot of the disk was put back, in which the
    /// campaign's version was given to another content.
    private static let restoration = """
        UPDATE store SET epoch = epoch # 77;
        UPDATE campaigns SET content = replace(content, 'signup', 'checkout')
        """

    private static func broadcast(_ number: Int) -> String {
        """
        INSERT INTO broadcasts (campaign_id, trigger_id, at, due_at, due_locally, until, audience)
        VALUES ('sale', 'send', 1, 1, FALSE, 9e9, '{"a":\(number)}')
        """
    }

    private func campaign(_ id: String = "sale") throws -> Campaign {
        var campaign = Campaign.sample(id)
        let json: JSONValue = [
            "name": "Sale", "variants": [["id": "a", "control": true]],
            "conversions": [["id": "done", "on": ["event": "signup"], "window_seconds": 86_400]],
        ]
        campaign.content.conversions = try Campaign.Content(json: json).conversions
        return campaign
    }

    /// Runs a test with a home that has launched a campaign, and a shard that has a copy of it.
    private func withReplica(
        _ body: (_ home: ShardNode, _ shard: ShardNode, _ replica: CatalogReplica) async throws -> Void
    ) async throws {
        try await ShardNode.withTwo { home, shard in
            try await home.store.launch(campaign())
            let replica = try await home.store.catalogReplica()
            try await shard.store.replicate(replica)
            #expect(try await content(shard).contains("signup"))
            try await body(home, shard, replica)
        }
    }

    /// Reads the catalog of a home once statements were run there, as a node that is started then.
    private func replica(of home: ShardNode, after statements: String) async throws -> CatalogReplica {
        try await ShardedPlace.execute(statements, in: home.url)
        let node = try await ShardNode.open(home.url, shard: 0).store
        do {
            let replica = try await node.catalogReplica()
            try await node.close()
            return replica
        } catch {
            try? await node.close()
            throw error
        }
    }

    /// The content of the campaign, as the database of a node has it; empty where it has none.
    private func content(_ node: ShardNode) async throws -> String {
        try await node.store.read { try $0.row("SELECT content FROM campaigns WHERE id = 'sale'")?.text("content") }
            ?? ""
    }

    private func count(_ table: String, _ node: ShardNode) async throws -> Int64? {
        try await node.store.read { try $0.row("SELECT count(*) AS count FROM \(table)")?.integer("count") }
    }

    @Test func `A campaign of a restored home takes the place of another one of the same version and generation`()
        async throws
    {
        try await withReplica { home, shard, before in
            let restored = try await replica(of: home, after: Self.restoration)
            #expect(restored.generation == before.generation && restored.history != before.history)
            try await shard.store.replicate(restored)
            #expect(try await content(shard).contains("checkout"))
            #expect(try await content(shard) == content(home))
            #expect(try await shard.store.replicatedGeneration() == restored.generation)
        }
    }

    @Test func `A restored home is heard although its generations are behind, and what it has no more goes`()
        async throws
    {
        try await withReplica { home, shard, before in
            let statements = "UPDATE store SET epoch = epoch # 77, generation = 0; DELETE FROM campaigns"
            let restored = try await replica(of: home, after: statements)
            #expect(restored.generation < before.generation)
            try await shard.store.replicate(restored)
            #expect(try await content(shard).isEmpty)
            #expect(try await shard.store.replicatedGeneration() == 0)
        }
    }

    @Test func `A home that was restored, and has passed the shard's generation since, is heard as well`()
        async throws
    {
        try await withReplica { home, shard, before in
            // The shard was away while the home counted up once more.
            let statements = "\(Self.restoration); UPDATE store SET generation = generation + 5"
            let restored = try await replica(of: home, after: statements)
            #expect(restored.generation == before.generation + 5)
            try await shard.store.replicate(restored)
            #expect(try await content(shard).contains("checkout"))
        }
    }

    @Test func `In one history, what isn't newer is passed over, and a campaign of the same version isn't written`()
        async throws
    {
        try await withReplica { home, shard, before in
            let own = try await shard.store.catalogGeneration()
            let change = "UPDATE campaigns SET content = replace(content, 'signup', 'touched')"
            try await ShardedPlace.execute(change, in: shard.url)
            try await shard.store.replicate(before)
            #expect(try await shard.store.catalogGeneration() == own)
            try await home.store.launch(campaign("other"))
            let next = try await home.store.catalogReplica()
            #expect(next.history == before.history)
            try await shard.store.replicate(next)
            #expect(try await content(shard).contains("touched"))
            #expect(try await count("campaigns", shard) == 2)
            #expect(try await shard.store.catalogGeneration() == own + 1)
            // A node that read it before comes late.
            try await shard.store.replicate(before)
            #expect(try await count("campaigns", shard) == 2)
        }
    }

    @Test func `A copy that was forgotten is replaced as a whole, unless another one has come since`() async throws {
        try await withReplica { _, shard, replica in
            let change = "UPDATE campaigns SET content = replace(content, 'signup', 'touched')"
            try await ShardedPlace.execute(change, in: shard.url)
            try await shard.store.forgetReplica(replica.generation + 1)
            try await shard.store.replicate(replica)
            #expect(try await content(shard).contains("touched"))
            try await shard.store.forgetReplica(replica.generation)
            #expect(try await shard.store.replicatedGeneration() == -1)
            try await shard.store.replicate(replica)
            #expect(try await content(shard).contains("signup"))
        }
    }

    @Test func `A shard that doesn't know yet of which history its copy is takes the whole catalog once`()
        async throws
    {
        try await withReplica { _, shard, replica in
            // As a migration leaves it.
            let change = """
                UPDATE store SET replicated_of = NULL;
                UPDATE campaigns SET content = replace(content, 'signup', 'touched')
                """
            try await ShardedPlace.execute(change, in: shard.url)
            try await shard.store.replicate(replica)
            #expect(try await content(shard).contains("signup"))
            let own = try await shard.store.catalogGeneration()
            try await shard.store.replicate(replica)
            #expect(try await shard.store.catalogGeneration() == own)
        }
    }

    @Test func `Controls and broadcasts that a restored home hasn't go, and its own come`() async throws {
        try await withReplica { home, shard, _ in
            try await ShardedPlace.execute(Self.broadcast(1), in: shard.url)
            #expect(try await count("controls", shard) == 1)
            let statements = """
                \(Self.restoration);
                UPDATE controls SET variant_id = 'other';
                \(Self.broadcast(2))
                """
            try await shard.store.replicate(try await replica(of: home, after: statements))
            let (controls, broadcasts) = try await shard.store.read { connection in
                (
                    try connection.rows("SELECT variant_id FROM controls").map { try $0.text("variant_id") },
                    try connection.rows("SELECT audience FROM broadcasts").map { try $0.text("audience") }
                )
            }
            #expect(controls == ["other"] && broadcasts == [#"{"a":2}"#])
        }
    }

    @Test func `A node that comes late with the catalog from before is followed by the next look of another one`()
        async throws
    {
        try await withReplica { home, shard, before in
            let restored = try await replica(of: home, after: Self.restoration)
            for source in [restored, before, restored] { try await shard.store.replicate(source) }
            #expect(try await content(shard).contains("checkout"))
            #expect(try await shard.store.campaign(Self.sale)?.version == home.store.campaign(Self.sale)?.version)
        }
    }
}
