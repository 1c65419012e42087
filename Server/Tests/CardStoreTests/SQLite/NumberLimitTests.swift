import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

/// SQLite makes a floating-point number of a sum that has no room in 64 bits.
@Suite("SQLite: numbers at their limits")
struct NumberLimitTests {
    private static let sale = CampaignID(rawValue: "sale")
    private static let largest = "9223372036854775807"

    @Test("Positions from outside are never beyond what can be counted", arguments: [.min, -1, 0, 7, .max] as [Int64])
    func positions(_ position: Int64) async throws {
        try await withSQLiteStore { store in
            try await store.launch(.sample())
            try await store.record([DeviceEvent(1, .sessionStart), DeviceEvent(2, .sessionStart)])
            let page = try await store.eventPage(after: position, EventFilter(), limit: 10)
            #expect(page.events.count == (position <= 0 ? 2 : 0) && page.isLast)
            var clicks = EventFilter()
            clicks.types = ["click"]
            let filtered = try await store.eventPage(after: position, clicks, limit: 10)
            #expect(filtered.events.isEmpty && filtered.isLast)
            for filter in [EventLogFilter(), EventLogFilter(user: someone), EventLogFilter(type: "session_start")] {
                let found = try await store.searchEvents(matching: filter, before: position, limit: 10)
                #expect(found.events.count == (position > 2 ? 2 : 0) && found.searchedTo == nil)
            }
            let entries = try await store.auditEntries(after: position, limit: 10)
            #expect(entries.count == (position <= 0 ? 2 : 0))
            let latest = try await store.latestAuditEntries(before: position, limit: 10)
            #expect(latest.count == (position > 2 ? 2 : 0))
            let versions = try await store.campaignVersions(of: Self.sale, before: position, limit: 10)
            #expect(versions.count == (position > 2 ? 2 : 0))
            #expect(try await store.campaignVersion(position, of: Self.sale) == nil)
        }
    }

    @Test(
        "Pages are of one row at least and a thousand at most",
        arguments: [.min, -1, 0, 1, 1_000, 1_001, .max] as [Int]
    )
    func limits(_ limit: Int) async throws {
        try await withSQLiteStore { store in
            try await store.record((0..<1_200).map { DeviceEvent($0, .sessionStart) })
            let expected = min(max(limit, 1), 1_000)
            #expect(try await store.eventPage(after: 0, EventFilter(), limit: limit).events.count == expected)
            let found = try await store.searchEvents(matching: EventLogFilter(), before: nil, limit: limit)
            #expect(found.events.count == expected)
            #expect(try await store.userEvents(of: someone, limit: limit).count == expected)
        }
    }

    @Test("Once the positions are used up nothing is acknowledged, and what is there is read")
    func lastPosition() async throws {
        try await withSQLiteStore { store in
            try await store.record([DeviceEvent(1, .sessionStart)])
            try await store.execute("UPDATE sqlite_sequence SET seq = \(Self.largest) - 1 WHERE name = 'events'")
            try await store.record([DeviceEvent(2, .sessionStart)])
            #expect(try await store.lastEventPosition() == .max)
            await expectFailure(.diskFull) { try await store.record([DeviceEvent(3, .sessionStart)]) }
            let page = try await store.eventPage(after: 1, EventFilter(), limit: 10)
            #expect(page.events.map(\.position) == [.max] && page.position == .max && page.isLast)
            let next = try await store.eventPage(after: page.position, EventFilter(), limit: 10)
            #expect(next.events.isEmpty && next.isLast)
            #expect(try await store.pruneEvents(before: noon + 1) == 2)
            #expect(try await store.updateUsers([UserUpdate(id: someone, custom: ["a": 1])], at: noon) == [nil])
        }
    }

    @Test("A count that has no room is an error of its report, and costs no device an answer")
    func counts() async throws {
        try await withSQLiteStore { store in
            for id in ["sale", "other"] { try await store.launch(.sample(id)) }
            try await store.give("card-1")
            try await store.give("card-2", of: "other")
            try await store.record([.impression(1), .impression(2, of: "card-2")])
            try await store.execute("UPDATE counts SET impressions = \(Self.largest) WHERE campaign_id = 'sale'")
            #expect(try await store.counts().impressions == .max)
            #expect(try await store.record([.impression(3)]).receipt.accepted == 1)
            await expectFailure(.corrupt) { try await store.campaignReport(of: Self.sale) }
            #expect(try await store.counts(of: "other").impressions == 1)
            #expect(try await store.record([.impression(4, of: "card-2")]).receipt.accepted == 1)
            #expect(try await store.userState(of: someone)?.deliveries.count == 2)
        }
    }

    @Test("The number of users is what was counted, also where it is far off")
    func userCount() async throws {
        try await withSQLiteStore { store in
            try await store.execute("UPDATE store SET user_count = \(Self.largest)")
            #expect(try await store.userCount() == .max)
            #expect(await store.finding("counters")?.level == .bad)
            try await store.execute("UPDATE store SET user_count = -\(Self.largest) - 1")
            #expect(try await store.userCount() == .min)
            try await store.give("card-1")
            #expect(try await store.userCount() == Int64.min + 1)
            let path = store.path
            await expectFailure(.unavailable) { try await SQLiteCardStore.repair(path: path) }
            try await store.close()
            #expect(try await SQLiteCardStore.repair(path: path).userCountError == .max)
        }
    }
}
