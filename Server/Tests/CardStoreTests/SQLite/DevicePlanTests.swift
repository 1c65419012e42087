import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import GRDBSQLite
import Synchronization
import Testing

@testable import SQLiteCardStore

/// Nothing that a device asks for may take longer because there are other users.
@Suite("SQLite: plans of what devices ask for")
struct DevicePlanTests {
    /// The tables that grow with users, and the names that statements give them.
    private static let large: Set<String> = [
        "users", "u", "deliveries", "d", "events", "e", "o", "histories", "conversions", "spending", "triggers", "t",
        "test_cards", "aliases", "withholdings", "erased_users", "merged_users",
    ]

    /// How SQLite goes about a statement, whatever its parameters are.
    private static func plan(of sql: String, on connection: OpaquePointer) throws -> [String] {
        try PreparedStatement("EXPLAIN QUERY PLAN \(sql)", on: connection).use { statement in
            var details: [String] = []
            while try statement.step() { details.append(statement.text(3)) }
            return details
        }
    }

    /// The large tables of which a plan reads every row.
    private static func scanned(_ plan: [String]) -> [String] {
        plan.filter { detail in
            let words = detail.split(separator: " ")
            return words.first == "SCAN" && words.dropFirst().first.map { large.contains(String($0)) } ?? false
        }
    }

    /// The statements of a connection that are prepared now.
    private static func prepared(on connection: OpaquePointer) -> Set<String> {
        var (texts, statement): (Set<String>, OpaquePointer?) = ([], sqlite3_next_stmt(connection, nil))
        while let present = statement {
            if let text = sqlite3_sql(present) { texts.insert(String(cString: text)) }
            statement = sqlite3_next_stmt(connection, present)
        }
        return texts
    }

    @Test("What the writer keeps prepared goes through no table that grows with users")
    func writer() async throws {
        try await withSQLiteStore { store in
            try await store.pool.writeWithoutTransaction { database in
                let connection = try #require(database.sqliteConnection)
                let statements = Self.prepared(on: connection)
                #expect(statements.isSuperset(of: [SQL.insertEvent, SQL.hasTrigger, SQL.waitingLoad, SQL.removeEvent]))
                #expect(statements.count >= 50)
                for sql in statements {
                    let plan = try Self.plan(of: sql, on: connection)
                    #expect(Self.scanned(plan).isEmpty, "\(sql)")
                }
            }
        }
    }

    @Test(
        "What syncs read goes through no table that grows with users",
        arguments: [
            SQL.userRevision, SQL.state, SQL.histories, SQL.dueTriggers, SQL.laterTriggers, SQL.testCards, SQL.oneUser,
            SQL.histories(events: 3), SQL.contacts(campaigns: 2),
        ]
    )
    func reads(_ sql: String) async throws {
        try await withSQLiteStore { store in
            try await store.pool.writeWithoutTransaction { database in
                let plan = try Self.plan(of: sql, on: try #require(database.sqliteConnection))
                #expect(Self.scanned(plan).isEmpty && plan.contains { $0.hasPrefix("SEARCH") }, "\(plan)")
            }
        }
    }

    @Test("A scan of a large table is found, so that the other tests can fail")
    func finds() async throws {
        try await withSQLiteStore { store in
            try await store.pool.writeWithoutTransaction { database in
                let connection = try #require(database.sqliteConnection)
                for sql in ["SELECT * FROM events WHERE type = ?1", "SELECT * FROM users AS u WHERE locale = ?1"] {
                    let plan = try Self.plan(of: sql, on: connection)
                    #expect(Self.scanned(plan).count == 1)
                }
            }
        }
    }

    /// Does what apps and backends do with one user.
    private func useStore(_ store: SQLiteCardStore) async throws {
        try await store.launch(.sample())
        try await store.recordDevice(DeviceContext(locale: "en", timeZone: "Europe/Berlin"), of: someone, at: noon)
        try await store.give("card-1")
        let tea = DeviceEvent.Purchase(productID: "tea", currency: "EUR", price: 2)
        try await store.record([
            .impression(1), .click(2), DeviceEvent(3, .custom(name: "open")), DeviceEvent(4, .purchase(tea)),
            DeviceEvent(5, .sessionStart), .dismissal(6), .impression(7, of: "unknown"),
        ])
        try await store.updateUsers([UserUpdate(id: someone, custom: ["plan": "gold"])], at: noon + 1)
        let id = CampaignID(rawValue: "sale")
        let trigger = Trigger(id: TriggerID(rawValue: "t"), campaign: id, at: noon, due: .at(noon), until: noon + 50)
        _ = try await store.sendTriggers(TriggerSend(trigger, to: [TriggerSend.Recipient(someone)], isScheduled: true))
        _ = try await store.rescheduleTrigger(trigger.id, of: id, due: .at(noon + 9), until: noon + 90, at: noon - 1)
        _ = try await store.unscheduleTrigger(trigger.id, of: id, at: noon)
        let alias = NewAlias(alias: UserAlias(label: "shop", name: "a"), user: someone, newUser: someone)
        _ = try await store.addAliases([alias], at: noon)
        let guest = UserID(rawValue: "unidentified-1")
        try await store.give("card-2", to: guest)
        try await store.record([.impression(8, of: "card-2"), DeviceEvent(9, .custom(name: "open"))], of: guest)
        _ = try await store.identifyUsers([Identification(user: .id(guest), identity: someone)], at: noon + 2)
        try await store.record([.impression(8, of: "card-2"), DeviceEvent(10, .sessionStart)])
        _ = try await store.moveMergedEvents(limit: 100)
        _ = try await store.deleteUser(someone, at: noon + 3, by: command)
    }

    @Test("What is run for a user, from the first sync to the deletion, goes through no table that grows with users")
    func everything() async throws {
        let log = Mutex<Set<String>>([])
        try await withSQLiteStore { store in
            try await store.pool.writeWithoutTransaction { database in
                database.trace { event in
                    guard case .statement(let statement) = event else { return }
                    let verb = statement.sql.prefix { !$0.isWhitespace }
                    guard ["SELECT", "INSERT", "UPDATE", "DELETE"].contains(String(verb)) else { return }
                    log.withLock { _ = $0.insert(statement.sql) }
                }
            }
            try await useStore(store)
            let statements = log.withLock { $0 }
            // Many of them, and those of each kind among them.
            #expect(statements.count > 40)
            for table in ["events", "deliveries", "histories", "triggers", "aliases", "merged_logs", "erased_users"] {
                #expect(statements.contains { $0.contains("INTO \(table)") }, "\(table)")
            }
            try await store.pool.writeWithoutTransaction { database in
                database.trace(options: [])
                let connection = try #require(database.sqliteConnection)
                for sql in statements {
                    let plan = try Self.plan(of: sql, on: connection)
                    #expect(Self.scanned(plan).isEmpty, "\(sql)")
                }
            }
        }
    }
}
