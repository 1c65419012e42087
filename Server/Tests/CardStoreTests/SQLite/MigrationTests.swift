import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: migrations")
struct MigrationTests {
    @Test("A database of every older version comes up to date and works", arguments: 0..<Schema.migrations.count)
    func fromEveryVersion(_ done: Int) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            if done > 0 {
                try withDatabase(path) { try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
                let pool = try DatabasePool(path: path)
                try Schema.migrator.migrate(pool, upTo: Schema.migrations[done - 1].identifier)
                try pool.close()
            }

            let migration = try SQLiteCardStore.migrate(path: path)

            #expect(migration.steps == Schema.migrations.dropFirst(done).map { $0.identifier })
            #expect(try SQLiteCardStore.migrate(path: path).steps.isEmpty)
            let store = try SQLiteCardStore(path: path, options: .init(migrate: false))
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([.impression(1)])
            #expect(try await store.counts().impressions == 1)
            try await store.close()
        }
    }

    @Test("What was migrated from the first version keeps its users and cards")
    func keepsData() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let pool = try DatabasePool(path: path)
            try Schema.migrator.migrate(pool, upTo: Migration0001.identifier)
            try await pool.write { database in
                try database.execute(
                    sql: """
                        PRAGMA application_id = \(Schema.applicationID);
                        INSERT INTO users (id, version, device, created_at, custom)
                            VALUES ('user-1', 7, 0, 1, '{"plan":"gold"}');
                        INSERT INTO deliveries
                            (user_id, card_id, campaign_id, ordinal, variant_id, delivered_at, position, changed_at, viewed)
                            VALUES ('user-1', 'card-1', 'sale', 0, 'a', 2, 4096, 7, 1);
                        """
                )
            }
            try pool.close()

            let store = try SQLiteCardStore(path: path)

            let state = try #require(try await store.userState(of: someone))
            #expect(state.version == 7)
            #expect(state.profile.custom == ["plan": "gold"])
            #expect(state.deliveries.map(\.isViewed) == [true])
            try await store.close()
        }
    }

    @Test("Campaigns that were there have their present version by whoever made it, and days their recipients")
    func keepsHistory() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let pool = try DatabasePool(path: path)
            try Schema.migrator.migrate(pool, upTo: Migration0018.identifier)
            let day = Day(of: noon)
            var campaign = try Campaign.sample().applying(.launch, at: noon)
            campaign.version = 7
            try await pool.write { [campaign] database in
                try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
                try CampaignRow.insert(campaign, into: database)
                try CampaignRow.insert(.sample("other"), into: database)
                for (actor, action) in [("ann", "campaign.launch"), ("bob", "campaign.broadcast")] {
                    try database.execute(
                        sql: "INSERT INTO audit (at, actor, action, subject) VALUES (?, ?, ?, 'sale')",
                        arguments: [noon, actor, action]
                    )
                }
                for (variant, recipients) in [("a", 3), ("control", 5)] {
                    try database.execute(
                        sql: """
                            INSERT INTO counts (campaign_id, utc_day, local_day, variant_id, delivered, impressions,
                                unique_impressions, clicks, unique_clicks, dismissals, decode_errors, recipients)
                            VALUES ('sale', ?1, ?1, ?2, 9, 0, 0, 0, 0, 0, 0, ?3)
                            """,
                        arguments: [day.number, variant, recipients]
                    )
                }
            }
            try pool.close()

            let store = try SQLiteCardStore(path: path)

            let versions = try await store.campaignVersions(of: campaign.id, before: nil, limit: 10)
            #expect(versions.map(\.number) == [7])
            #expect(versions.map(\.actor) == ["ann"] && versions.map(\.action) == ["campaign.launch"])
            #expect(try await store.campaignVersion(7, of: campaign.id)?.campaign == campaign)
            let other = try await store.campaignVersions(of: CampaignID(rawValue: "other"), before: nil, limit: 10)
            #expect(other.map(\.actor) == ["command"])
            let edited = try campaign.updating(Campaign.sample(title: "New").content, at: noon + 1)
            _ = try await store.updateCampaign(edited, from: 7, action: "campaign.update", by: command)
            #expect(try await store.campaignVersion(7, of: campaign.id)?.campaign == campaign)
            #expect(try await store.dayTotals(from: day)[day]?.recipients == 3)
            try await store.give("card-1", at: noon)
            #expect(try await store.dayTotals(from: day)[day]?.recipients == 4)
            try await store.close()
        }
    }

    @Test("Amounts that were binary fractions become the decimals that they meant")
    func keepsAmounts() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let pool = try DatabasePool(path: path)
            try Schema.migrator.migrate(pool, upTo: Migration0037.identifier)
            var record = PurchaseRecord(of: 33.33, at: noon)
            record.add(0.1, at: noon + 60, now: noon + 60)
            let recent = Data(BinaryAmounts.encode(.purchases(record)))
            try await pool.write { database in
                try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
                try CampaignRow.insert(.sample(), into: database)
                try database.execute(
                    sql: """
                        INSERT INTO users (id, version, device, created_at) VALUES ('user-1', 7, 0, 1);
                        INSERT INTO histories VALUES ('user-1', 2, 'tea', 'EUR', 12, 1, \(noon + 60), 0.9999999999999999, ?);
                        INSERT INTO histories VALUES ('user-1', 4, '', '', 1, 1, 1, 0, x'02');
                        INSERT INTO spending VALUES ('user-1', 'sale', 'bought', 'EUR', 0.30000000000000004, 2, 1);
                        INSERT INTO amount_counts VALUES ('sale', 1, 1, 'a', 'bought', 'EUR', 2, 1, 1980.1, 9);
                        """,
                    arguments: [recent]
                )
            }
            try pool.close()

            let store = try SQLiteCardStore(path: path)

            let history = try #require(try await store.userState(of: someone, including: .all)?.history)
            let tea = try #require(history.purchases[.init(id: "tea", currency: "EUR")])
            #expect(tea.revenue == 1)
            #expect(tea.occurrences.count == 12 && tea.occurrences.recent == [noon, noon + 60])
            #expect(tea.recentAmounts == [33.33, 0.1])
            #expect(history.sessions?.recent == [0.001])
            #expect(
                try await store.campaignReport(of: CampaignID(rawValue: "sale"))?.amounts.map(\.counts.amount) == [
                    1980.1
                ]
            )
            try await store.close()
            let spent = try withDatabase(path) { try String.fetchAll($0, sql: "SELECT amount FROM spending") }
            #expect(spent == ["0.3"])
        }
    }

    @Test("The steps' names start with their numbers, which only grow")
    func names() {
        let numbers = Schema.migrations.map { $0.identifier.prefix { $0 != "-" } }
        #expect(numbers.allSatisfy { $0.count == 4 && Int($0) != nil })
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("A database of an older version is refused where it is not to be migrated")
    func refusesOlder() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            await expectFailure(.incompatible) { try SQLiteCardStore(path: path, options: .init(migrate: false)) }
        }
    }

    @Test("A database of a newer version is refused and left as it is")
    func refusesNewer() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            try withDatabase(path) { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9999-future')") }

            await expectFailure(.incompatible) { try SQLiteCardStore(path: path) }
            await expectFailure(.incompatible) { try SQLiteCardStore.migrate(path: path) }
        }
    }

    @Test("A database of another program is refused and left as it is")
    func refusesForeign() async throws {
        try await withFolder { folder in
            let path = folder + "/other.sqlite"
            try withDatabase(path) { try $0.execute(sql: "CREATE TABLE notes (text)") }

            await expectFailure(.incompatible) { try SQLiteCardStore(path: path) }

            let tables = try withDatabase(path) { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
            #expect(tables == ["notes"])
        }
    }

    @Test("A file that is no database, and one that is damaged, are said to be so")
    func refusesDamaged() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))

            await expectFailure(.corrupt) { try SQLiteCardStore(path: path) }
        }
    }

    @Test("A folder that is not there is said to be so")
    func missingFolder() async throws {
        try await withFolder { folder in
            await expectFailure(.unavailable) { try SQLiteCardStore(path: folder + "/none/placard.sqlite") }
        }
    }
}
