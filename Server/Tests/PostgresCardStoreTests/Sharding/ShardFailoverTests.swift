import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing
import WireJSON

@testable import ShardedCardStore

@Suite("Sharded: databases that have forgotten something", .timeLimit(.minutes(10)))
struct ShardFailoverTests {
    /// Runs a test with a home and a shard that have settings, and the generation that both have.
    private func withTwo(
        _ body: (_ place: ShardedPlace, _ store: ShardedCardStore, _ shard: String) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try #require(try await place.open() as? ShardedCardStore)
            var settings = Settings()
            settings.timeZone = "Asia/Tokyo"
            try await store.saveSettings(settings, at: noon, by: command)
            try await expectReplica(store, "Asia/Tokyo")
            try await body(place, store, urls[1])
        }
    }

    private func expectReplica(_ store: ShardedCardStore, _ timeZone: String) async throws {
        let shard = try store.database(1)
        let replicated = try await shard.replicatedGeneration()
        #expect(try await replicated == store.catalogGeneration())
        #expect(try await shard.storedSettings().timeZone == timeZone)
    }

    @Test func `Shards take over what a restored home says, although they have heard of later generations`()
        async throws
    {
        try await withTwo { place, store, shard in
            try await store.close()
            // As where the home alone was restored.
            try await ShardedPlace.execute("UPDATE store SET replicated = replicated + 50", in: shard)
            let restored = try #require(try await place.open() as? ShardedCardStore)
            try await expectReplica(restored, "Asia/Tokyo")
            var settings = try await restored.settings()
            settings.timeZone = "Europe/Berlin"
            try await restored.saveSettings(settings, at: noon + 1, by: command)
            try await expectReplica(restored, "Europe/Berlin")
            try await restored.close()
        }
    }

    @Test func `What a restored home gives a version to a second time is what shards have, too`() async throws {
        try await withTwo { place, store, _ in
            var campaign = Campaign.sample()
            let json: JSONValue = [
                "name": "Sale", "variants": [["id": "a", "control": true]],
                "conversions": [["id": "done", "on": ["event": "signup"], "window_seconds": 86_400]],
            ]
            campaign.content.conversions = try Campaign.Content(json: json).conversions
            let launched = try await store.launch(campaign)
            #expect(try await store.database(1).campaign(launched.id)?.content == launched.content)
            try await store.close()
            let restoration = """
                UPDATE store SET epoch = epoch # 77;
                UPDATE campaigns SET content = replace(content, 'signup', 'checkout')
                """
            try await ShardedPlace.execute(restoration, in: place.home)
            let restored = try #require(try await place.open() as? ShardedCardStore)
            let own = try #require(try await restored.home.campaign(launched.id))
            #expect(own.version == launched.version && own.content != launched.content)
            #expect(try await restored.database(1).campaign(launched.id)?.content == own.content)
            try await restored.close()
        }
    }

    @Test func `A shard that has failed over gets what it hadn't heard of yet, without a change of the catalog`()
        async throws
    {
        try await withTwo { _, store, shard in
            let change = "UPDATE store SET replicated = 0, settings = '{}'"
            try await ShardedPlace.execute(change, in: shard)
            let name = try store.database(1).epoch
            store.histories.note(name, of: 1)
            #expect(!store.histories.hasChanged(name, of: 1))
            #expect(try await store.database(1).replicatedGeneration() == 0)
            store.histories.note(name ^ 1, of: 1)
            await store.followFailovers()
            try await expectReplica(store, "Asia/Tokyo")
            #expect(!store.histories.hasChanged(name, of: 1))
            try await store.close()
        }
    }

    @Test func `A home that has failed over has shards take over its catalog`() async throws {
        try await withTwo { _, store, shard in
            try await ShardedPlace.execute("UPDATE store SET replicated = replicated + 50", in: shard)
            store.histories.note(store.home.epoch ^ 1, of: 0)
            await store.followFailovers()
            try await expectReplica(store, "Asia/Tokyo")
            try await store.close()
        }
    }

    @Test func `A database whose history isn't known yet has not changed`() {
        let histories = KnownHistories()
        #expect(!histories.hasChanged(5, of: 1))
        histories.note(5, of: 1)
        #expect(!histories.hasChanged(5, of: 1) && histories.hasChanged(6, of: 1) && !histories.hasChanged(6, of: 2))
    }
}
