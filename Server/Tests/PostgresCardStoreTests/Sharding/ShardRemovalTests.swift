import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: a shard that is taken away", .timeLimit(.minutes(20)))
struct ShardRemovalTests {
    private static let users = (0..<60).map { UserID(rawValue: "user-\($0)") }

    /// Counts of each kind, some of them in rows that the home and the shard both have.
    private static let counts = """
        INSERT INTO counts (slot, campaign_id, utc_day, local_day, variant_id, delivered, impressions,
            unique_impressions, clicks, unique_clicks, dismissals, decode_errors, recipients)
        VALUES (0, 'c', 1, 1, 'a', 1, 2, 3, 4, 5, 6, 7, 8), (1, 'c', 1, 1, 'a', 10, 20, 30, 40, 50, 60, 70, 80);
        INSERT INTO day_totals (slot, local_day, delivered, impressions, unique_impressions, clicks, unique_clicks,
            dismissals, decode_errors, recipients)
        VALUES (0, 1, 1, 2, 3, 4, 5, 6, 7, 8), (1, 1, 10, 20, 30, 40, 50, 60, 70, 80);
        INSERT INTO conversion_counts (slot, campaign_id, utc_day, local_day, variant_id, conversion, conversions,
            unique_conversions) VALUES (0, 'c', 1, 1, 'a', 'buy', 3, 2), (1, 'c', 1, 1, 'a', 'buy', 4, 1);
        INSERT INTO amount_counts (slot, campaign_id, utc_day, local_day, variant_id, conversion, currency, purchases,
            buyers, amount, squares) VALUES (0, 'c', 1, 1, 'a', 'buy', 'EUR', 2, 1, 0.1, 1.5),
            (1, 'c', 1, 1, 'a', 'buy', 'EUR', 1, 1, 12345678901234567890.5, 2.5);
        INSERT INTO problems (campaign_id, variant_id, class_type, field, message, count, last_at)
        VALUES ('c', 'a', 'coupon', 'price', 'missing', 3, \(noon))
        """

    /// Runs a test with users in a home and two shards.
    private func withThree(
        _ body: (_ place: ShardedPlace, _ store: ShardedCardStore, _ urls: [String]) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(4) { urls in
            let place = ShardedPlace(home: urls[0])
            for url in urls[1...2] { #expect(try await place.add(url)) }
            let store = try #require(try await place.open() as? ShardedCardStore)
            try await store.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            do {
                try await body(place, store, urls)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    private func remove(_ id: Int64, _ place: ShardedPlace) async throws {
        try await ShardedCardStore.removeShard(id, of: place.home, options: place.options, at: noon, by: command)
    }

    private func empty(_ id: Int, _ place: ShardedPlace) async throws {
        try await ShardedCardStore.balance(place.home, options: place.options, without: [id]) { _ in }
    }

    /// What was counted of the campaign in all databases, and on all days.
    private func tally(_ store: ShardedCardStore) async throws -> CampaignTally {
        let campaign = CampaignID(rawValue: "c")
        return CampaignTally(sumOf: try await store.onAll { try await $0.campaignTally(of: campaign) })
    }

    @Test func `Counts of a removed shard go to the home, nodes close it, and its number isn't given again`()
        async throws
    {
        try await withThree { place, store, urls in
            for url in urls[0...1] { try await ShardedPlace.execute(Self.counts, in: url) }
            try await empty(1, place)
            let (before, days) = (try await tally(store), try await store.dayTotals(from: Day(number: 0)))
            #expect(before.rows.first?.counts.clicks == 88 && before.problems.first?.count == 6)
            try await remove(1, place)

            try await store.followRemovals()
            #expect(store.slots[1].isRemoved && store.slots[1].opened == nil)
            #expect(try await tally(store) == before)
            #expect(try await store.dayTotals(from: Day(number: 0)) == days)
            #expect(try await store.userCount() == 60)
            #expect(store.traffic?.absentShards == 0)
            // Its database is closed with the next look, and gone from then on.
            try await store.followRemovals()
            let one = try #require(Self.users.first)
            #expect(try await store.userEvents(of: one, limit: 10).isEmpty)
            #expect(try await store.deleteUser(one, at: noon, by: command))
            #expect(try await store.pruneEvents(before: noon) == 0)

            let listed = try await ShardedCardStore.shards(of: place.home, options: place.options)
            #expect(listed.map(\.id) == [0, 2])
            let added = try await ShardedCardStore.addShard(
                urls[3],
                to: place.home,
                options: place.options,
                at: noon,
                by: command
            )
            #expect(added.id == 3)
            let reopened = try #require(try await place.open() as? ShardedCardStore)
            #expect(reopened.slots.map(\.isRemoved) == [false, true, false, false])
            let after = try await tally(reopened)
            #expect(after == before)
            #expect(try await reopened.userCount() == 59)
            try await reopened.close()
        }
    }

    @Test func `It isn't taken away while users, a move, copies or events are there`() async throws {
        try await withThree { place, store, urls in
            await expectFailure(.conflict) { try await remove(0, place) }
            await expectFailure(.notFound) { try await remove(7, place) }
            await expectFailure(.conflict) { try await remove(1, place) }
            let one = try #require(Self.users.first { store.placement.owner(of: $0) == 1 })
            let event = DeviceEvent(1, .custom(name: "seen"), at: noon)
            let batch = EventBatch(user: one, events: [event], receivedAt: noon, device: "device")
            #expect(try await store.recordEvents(batch).receipt.accepted == 1)
            try await empty(1, place)

            let move = RangeMove(0..<10, from: 0, to: 2)
            #expect(try await store.home.beginMove(move))
            await expectFailure(.conflict) { try await remove(1, place) }
            try await store.home.cancelMove(move)

            await expectFailure(.conflict) { try await remove(1, place) }
            try await ShardedPlace.execute("DELETE FROM events", in: urls[1])
            try await store.reloadPlacement()
            let rows = try #require(try await store.database(store.placement.owner(of: one)).exportUser(one))
            try await store.database(1).importUser(rows)
            await expectFailure(.conflict) { try await remove(1, place) }
            try await ShardedCardStore.balance(
                place.home,
                options: place.options,
                without: [1],
                removingCopies: true
            ) { _ in }
            try await remove(1, place)
            await expectFailure(.conflict) { try await remove(1, place) }
            await expectFailure(.conflict) {
                let address = ShardAddress(shard: 1, url: urls[1])
                try await store.home.saveShard(address, ranges: nil, at: noon, by: command)
            }
            // Nothing comes to it any more.
            let late = RangeMove(0..<10, from: Int64(store.placement.owner(ofRank: 0)), to: 1)
            #expect(try await !store.home.beginMove(late))
        }
    }

    @Test func `One that doesn't answer stays, until it is given up with its users`() async throws {
        try await withThree { place, store, _ in
            let options = place.options
            let lost = Self.users.filter { store.placement.owner(of: $0) == 1 }
            let user = try #require(lost.first)
            await expectFailure(.conflict) {
                try await ShardedCardStore.giveUpShard(1, of: place.home, options: options, at: noon, by: command)
            }
            try await place.setShard(1, to: ShardedPlace.away)
            await expectFailure(.conflict) { try await remove(1, place) }
            let name = store.userEpoch(of: user)

            let loss = try await ShardedCardStore.giveUpShard(
                1,
                of: place.home,
                options: options,
                at: noon,
                by: command
            )
            #expect(loss.share > 0.3 && loss.share < 0.4 && loss.events == 0)
            let after = try #require(try await place.open() as? ShardedCardStore)
            #expect(try await after.userCount() == Int64(60 - lost.count))
            #expect(after.placement.owner(of: user) == 0)
            // What the device knows is of another history.
            #expect(after.userEpoch(of: user) != name)
            try await after.updateUsers([UserUpdate(id: user)], at: noon)
            #expect(try await after.userCount() == Int64(61 - lost.count))
            try await after.close()
        }
    }

    @Test func `An empty one that doesn't answer is refused, with the way out`() async throws {
        try await withThree { place, _, _ in
            try await empty(1, place)
            try await place.setShard(1, to: ShardedPlace.away)
            let error = await #expect(throws: StoreError.self) { try await remove(1, place) }
            #expect(error?.code == .unavailable && error?.message.contains("shards remove 1 --lost") == true)
        }
    }

    @Test func `Whoever diagnoses the databases finds one that was removed neither away nor a gap`() async throws {
        try await withThree { place, _, _ in
            try await empty(1, place)
            try await remove(1, place)
            let key = try #require(place.options.secretsKey)
            let findings = await ShardedCardStore.diagnose(url: place.home, secretsKey: key, isFull: false)
            #expect(findings.contains { $0.subject == "shards" && $0.message == "1 beside the home" })
            #expect(findings.allSatisfy { !$0.subject.hasPrefix("shard 1") && $0.subject != "copies" })
            #expect(findings.contains { $0.subject == "shard 2" && $0.level == .good })
        }
    }

    @Test func `Where the last one is gone, the home has all users, and events keep the order of all logs`()
        async throws
    {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            try await empty(1, place)
            try await remove(1, place)
            let store = try #require(try await place.open() as? ShardedCardStore)
            try await store.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            #expect(try await store.home.userCount() == 60)
            #expect(Self.users.allSatisfy { store.placement.owner(of: $0) == 0 })
            #expect(try await store.lastEventPosition() == 0)
            try await store.close()
        }
    }
}
