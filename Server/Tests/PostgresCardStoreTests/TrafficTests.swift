import CardModel
import CardStore
import CardStoreConformance
import Foundation
import Synchronization
import Testing
import WireJSON

@testable import PostgresCardStore

@Suite("PostgreSQL: what a node costs its server, and tries again", .timeLimit(.minutes(20)))
struct TrafficTests {
    private func roundTrips(
        _ purpose: StoreTraffic.Purpose,
        of store: PostgresCardStore,
        _ body: () async throws -> Void
    ) async throws -> Int {
        let before = try #require(store.traffic?.roundTrips[purpose])
        try await body()
        return try #require(store.traffic?.roundTrips[purpose]) - before
    }

    @Test(
        "Every reason for another attempt is counted by its name",
        arguments: [("40P01", StoreTraffic.Retry.deadlock), ("40001", .serialization), ("23505", .duplicate)]
    )
    func conflicts(state: String, reason: StoreTraffic.Retry) async throws {
        try await withStore { store in
            let attempts = Atomic<Int>(0)
            try await store.writer.write { session in
                guard attempts.add(1, ordering: .relaxed).newValue > 2 else { throw PostgresError(state: state) }
                try session.connection.execute("UPDATE store SET checked_at = 1 WHERE id = 1")
            }
            let retries = try #require(store.traffic).retries
            #expect(retries[reason] == 2)
            #expect(retries.filter { $0.value > 0 }.keys.elementsEqual([reason]))
        }
    }

    @Test("A read whose connection is lost is tried on another one, and counted")
    func lostRead() async throws {
        try await withStore { store in
            let attempts = Atomic<Int>(0)
            let answer = try await store.read { connection in
                if attempts.add(1, ordering: .relaxed).newValue == 1 {
                    _ = try connection.row("SELECT pg_terminate_backend(pg_backend_pid()) AS ended")
                }
                return try connection.row("SELECT 7::BIGINT AS seven")?.integer("seven")
            }
            #expect(answer == 7)
            #expect(store.traffic?.retries[.read] == 1)
        }
    }

    @Test("A read that finds every connection in use waits, and is counted")
    func waiting() async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.readers = 1
            let store = try await PostgresCardStore.open(url: url, options: options)
            #expect(store.traffic?.connections == 7)
            let isHeld = Atomic<Bool>(false)
            let hold = DispatchSemaphore(value: 0)
            let first = Task {
                try await store.read { _ in
                    isHeld.store(true, ordering: .releasing)
                    hold.wait()
                }
            }
            while !isHeld.load(ordering: .acquiring) { await Task.yield() }
            let second = Task { try await store.read { _ in } }
            while store.traffic?.waiting != 1 { await Task.yield() }
            hold.signal()
            try await first.value
            try await second.value
            #expect(store.traffic?.waiting == 0)
            #expect(store.traffic?.waits == 1)
            try await store.close()
        }
    }

    @Test("A sync with nothing new waits for the server once")
    func unchanged() async throws {
        try await withOneReader { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            _ = try await store.userRevision(of: someone)
            let trips = try await roundTrips(.read, of: store) { _ = try await store.userRevision(of: someone) }
            #expect(trips == 1)
            let writes = try await roundTrips(.write, of: store) { _ = try await store.userRevision(of: someone) }
            #expect(writes == 0)
        }
    }

    @Test("A batch of events waits for the server twice, however many they are")
    func batches() async throws {
        try await withOneReader { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([DeviceEvent(3, .custom(name: "open"))])
            let one = try await roundTrips(.write, of: store) { try await store.record([.impression(10)]) }
            #expect(isAbout(2, one))
            let custom = (11...60).map { DeviceEvent($0, .custom(name: "open")) }
            let many = try await roundTrips(.write, of: store) { try await store.record(custom) }
            #expect(isAbout(2, many))
            let shown = (61...110).map { DeviceEvent.impression($0) } + (111...160).map { .click($0) }
            let seen = try await roundTrips(.write, of: store) { try await store.record(shown) }
            #expect(isAbout(2, seen))
            // Whether the user may have another name is asked when the event has one that the user doesn't have.
            let named = try await roundTrips(.write, of: store) {
                try await store.record([DeviceEvent(161, .custom(name: "close"))])
            }
            #expect(isAbout(3, named))
        }
    }

    @Test("A batch whose events convert waits for the server three times")
    func conversions() async throws {
        try await withOneReader { store in
            var campaign = Campaign.sample()
            let json: JSONValue = [
                "name": "Sale", "variants": [["id": "a", "control": true]],
                "conversions": [["id": "opened", "on": ["event": "open"], "window_seconds": 86_400]],
            ]
            campaign.content.conversions = try Campaign.Content(json: json).conversions
            try await store.launch(campaign)
            try await store.give("card-1")
            try await store.record([DeviceEvent(1, .custom(name: "open"))])
            let trips = try await roundTrips(.write, of: store) {
                try await store.record((2...40).map { DeviceEvent($0, .custom(name: "open")) })
            }
            #expect(isAbout(3, trips))
        }
    }

    @Test("A batch of new names that convert, cancel and let triggers wait still waits for the server three times")
    func consequences() async throws {
        try await withOneReader { store in
            var campaign = Campaign.sample()
            let json: JSONValue = [
                "name": "Sale", "variants": [["id": "a", "control": true]],
                "conversions": [["id": "opened", "on": ["event": "open"], "window_seconds": 86_400]],
            ]
            campaign.content = try Campaign.Content(json: json)
            campaign.content.delivery = .action(.init(trigger: EventCondition(.event("open"))))
            campaign.content.rules.removal = [EventCondition(.event("close"))]
            let rules = EventRules([try await store.launch(campaign)])
            try await store.give("card-1")
            try await store.record([DeviceEvent(1, .custom(name: "first"))])
            let trips = try await roundTrips(.write, of: store) {
                let events = [DeviceEvent(2, .custom(name: "open")), DeviceEvent(3, .custom(name: "close"))]
                let batch = EventBatch(user: someone, events: events, receivedAt: noon, rules: rules)
                _ = try await store.recordEvents(batch)
            }
            #expect(isAbout(3, trips))
        }
    }

    @Test("A new card waits for the server twice, and so does a device that was heard of")
    func feeds() async throws {
        try await withOneReader { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            let given = try await roundTrips(.write, of: store) { try await store.give("card-2", ordinal: 1) }
            #expect(isAbout(2, given))
            let seen = try await roundTrips(.write, of: store) {
                try await store.recordDevice(DeviceContext(locale: "en"), of: someone, at: noon + 1)
            }
            #expect(isAbout(2, seen))
        }
    }

    /// The first card of a user who isn't known yet.
    private func firstCard(of user: UserID) -> FeedChange {
        let delivery = Delivery(
            card: CardID(rawValue: "card-2"),
            campaign: CampaignID(rawValue: "sale"),
            ordinal: 0,
            variant: VariantID(rawValue: "a"),
            deliveredAt: noon
        )
        let device = DeviceContext(locale: "en")
        return FeedChange(user: user, version: 0, device: device, additions: [delivery], endings: [:], at: noon)
    }

    @Test("A new user who is given cards waits for the server three times, and so do many at once")
    func newUsers() async throws {
        try await withOneReader { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            let newcomer = firstCard(of: UserID(rawValue: "newcomer"))
            let trips = try await roundTrips(.write, of: store) {
                let version = try await store.saveFeed(newcomer)
                #expect(version == 1)
            }
            #expect(isAbout(3, trips))
            let changes = (2...51).map { firstCard(of: UserID(rawValue: "user-\($0)")) }
            let all = try await roundTrips(.write, of: store) {
                try await store.asOneGroup(changes.count) { place in
                    let version = try await store.saveFeed(changes[place])
                    #expect(version == 1)
                }
            }
            // The job that the others wait for is a group of its own.
            #expect(isAbout(4, all))
            #expect(try await store.userCount() == 52)
        }
    }

    @Test("A trigger of a backend waits for the server three times, however many recipients it has")
    func triggers() async throws {
        try await withOneReader { store in
            try await store.launch(.sample())
            let users = (1...50).map { UserID(rawValue: "user-\($0)") }
            try await store.updateUsers(users.map { UserUpdate(id: $0, custom: [:]) }, at: noon)
            let trips = try await roundTrips(.write, of: store) {
                let (id, campaign) = (TriggerID(rawValue: "t1"), CampaignID(rawValue: "sale"))
                let trigger = Trigger(id: id, campaign: campaign, at: noon, due: .at(noon), until: noon + 60)
                _ = try await store.sendTriggers(TriggerSend(trigger, to: users.map { TriggerSend.Recipient($0) }))
            }
            #expect(isAbout(3, trips))
        }
    }

    @Test("Batches of many users at once wait for the server as often as one")
    func groups() async throws {
        try await withOneReader { store in
            try await store.launch(.sample())
            let users = (2...51).map { UserID(rawValue: "user-\($0)") }
            for user in users { try await store.give("card-1", to: user) }
            // The first one reads the campaigns' conversions, once for a version of the catalog.
            try await store.give("card-1")
            try await store.record([.impression(1)])
            let trips = try await roundTrips(.write, of: store) {
                try await store.asOneGroup(users.count) { place in
                    try await store.record([.impression(1), .click(2)], of: users[place])
                }
            }
            // The job that the others wait for is a group of its own.
            #expect(isAbout(3, trips))
            let counts = try await store.counts()
            #expect(counts.impressions == 51 && counts.uniqueImpressions == 51 && counts.clicks == 50)
        }
    }

    /// Whether the number is as expected, or one more, which a busy machine has now and then.
    private func isAbout(_ expected: Int, _ trips: Int) -> Bool { (expected...expected + 1).contains(trips) }

    /// Runs a test with a store that has one reading connection, so that statements are prepared once.
    private func withOneReader(_ body: (PostgresCardStore) async throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.readers = 1
            options.now = { noon }
            // On a busy machine, the usual time of a lease would go by within a test.
            options.leaseRenewal = .seconds(86_400)
            let store = try await PostgresCardStore.open(url: url, options: options)
            do {
                try await body(store)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }
}
