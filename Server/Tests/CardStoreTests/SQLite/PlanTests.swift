import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: query plans")
struct PlanTests {
    static let hot = [
        SQL.generation, SQL.campaignCards, SQL.conversions, SQL.setConversion, SQL.deleteConversion, SQL.spending,
        SQL.loggedEvents, SQL.addConversions, SQL.addAmounts, SQL.addAllocation,
        SQL.userRevision, SQL.state, SQL.user, SQL.setVersion, SQL.setAttributes, SQL.setDevice, SQL.setLastSeen,
        SQL.endDelivery, SQL.removeCards, SQL.dueTriggers, SQL.laterTriggers, SQL.insertTrigger, SQL.useTrigger,
        SQL.waitingTriggers, SQL.coverBroadcast, SQL.openBroadcasts, SQL.card,
        SQL.markCard, SQL.countProblem, SQL.insertProblem, SQL.settings, SQL.touchCard, SQL.histories,
        SQL.history, SQL.repeatedEvents, SQL.updateHistory, SQL.insertHistory, SQL.addUsers,
        SQL.insertEvent, SQL.formerIDs, SQL.isLogged, SQL.addCounts, SQL.insertUser, SQL.insertDelivery, SQL.noteWriter,
    ]

    @Test("Every hot statement searches by a key and sorts nothing", arguments: hot)
    func searches(_ sql: String) async throws {
        try await withFolder { folder in
            let plan = try plan(of: sql, in: folder)

            #expect(!plan.contains { $0.contains("TEMP B-TREE") })
            // A constant row is "scanned" too; anything else that is scanned is a table.
            #expect(plan.filter { $0.hasPrefix("SCAN") && $0 != "SCAN CONSTANT ROW" }.isEmpty)
            if sql.hasPrefix("SELECT") || sql.hasPrefix("UPDATE") { #expect(plan.contains { $0.hasPrefix("SEARCH") }) }
        }
    }

    @Test(
        "What there is of campaigns, and who has an address, is read from an index and not sorted",
        arguments: [
            (SQL.launchedCampaigns, "COVERING INDEX campaigns_launched"),
            (SQL.convertingCampaigns, "INDEX campaigns_converting"),
            (UserQuery.byEmailSQL, "INDEX users_by_email"),
        ]
    )
    func lists(_ sql: String, index: String) async throws {
        try await withFolder { folder in
            let plan = try plan(of: sql, in: folder)
            #expect(plan.count == 1)
            #expect(plan[0].contains(index))
        }
    }

    @Test("A user's state is two searches by primary key, and looks for test cards and triggers that wait")
    func state() async throws {
        try await withFolder { folder in
            let plan = try plan(of: SQL.state, in: folder)
            #expect(
                plan == [
                    "SEARCH u USING PRIMARY KEY (id=?)", "SEARCH d USING PRIMARY KEY (user_id=?) LEFT-JOIN",
                    "SCALAR SUBQUERY 1", "SEARCH test_cards USING PRIMARY KEY (user_id=?)",
                    // Past triggers of a user may be thousands, and only those that wait are in this index.
                    "SCALAR SUBQUERY 2", "SEARCH triggers USING INDEX waiting_triggers (user_id=?)",
                ]
            )
        }
    }

    @Test("Finding a user's events and deleting them goes by the user")
    func events() async throws {
        try await withFolder { folder in
            for sql in ["SELECT position FROM events WHERE user_id = ?1", "DELETE FROM events WHERE user_id = ?1"] {
                let plan = try plan(of: sql, in: folder)
                #expect(plan.count == 1)
                #expect(plan[0].contains("INDEX events_by_user (user_id=?)"))
            }
        }
    }

    @Test(
        "A user is found by each of their other names through its index",
        arguments: [
            (UserLookup.owner, "aliases_by_name"), (UserLookup.byEmail, "users_found_by_email"),
            (UserLookup.byPhone, "users_found_by_phone"),
        ]
    )
    func otherNames(_ sql: String, index: String) async throws {
        try await withFolder { folder in
            let plan = try plan(of: sql, in: folder)
            // Nothing is sorted either: the look ends with the users who are considered, however many there are.
            #expect(plan.count == 1)
            #expect(plan.first?.hasPrefix("SEARCH") == true)
            #expect(plan.first?.contains("INDEX \(index)") == true)
        }
    }

    @Test("Whether a new user is a former one is found by the keys of two tables")
    func formerUsers() async throws {
        try await withFolder { folder in
            let plan = try plan(of: SQL.isFormerUser, in: folder)
            for table in ["erased_users", "merged_users"] {
                #expect(plan.contains { $0.hasPrefix("SEARCH \(table)") && $0.contains("(hash=?)") })
                #expect(!plan.contains { $0.hasPrefix("SCAN \(table)") })
            }
        }
    }

    /// How SQLite goes about a statement in a database that has only its tables.
    private func plan(of sql: String, in folder: String) throws -> [String] {
        let path = folder + "/placard.sqlite"
        _ = try SQLiteCardStore.migrate(path: path)
        return try withDatabase(path) { database in
            try Row.fetchAll(
                database,
                sql: "EXPLAIN QUERY PLAN \(sql)",
                arguments: StatementArguments(Self.nulls(sql))
            )
            .map { $0["detail"] as String }
        }
    }

    private static func nulls(_ sql: String) -> [String?] {
        let count = (1...15).filter { sql.contains("?\($0)") }.max() ?? 0
        return Array(repeating: nil, count: count)
    }
}
