import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import GRDBSQLite
import Testing
import WireJSON

@testable import SQLiteCardStore

@Suite("SQLite: how connections are set up")
struct ConnectionSettingsTests {
    private static let options: SQLiteCardStore.Options = {
        var options = SQLiteCardStore.Options()
        options.busyTimeout = .milliseconds(1_500)
        options.readCacheKiB = 777
        return options
    }()

    /// What a connection says of its settings.
    private static func settings(_ names: [String], of database: Database) throws -> [String: Int] {
        var found: [String: Int] = [:]
        for name in names { found[name] = try Int.fetchOne(database, sql: "PRAGMA \(name)") }
        return found
    }

    @Test("The one that writes waits for the disk, keeps references and overwrites what is deleted")
    func writer() async throws {
        try await withSQLiteStore(Self.options) { store in
            let expected = [
                "synchronous": 2, "foreign_keys": 1, "secure_delete": 1, "busy_timeout": 1_500, "cache_size": -65_536,
                "wal_autocheckpoint": 4_000, "journal_size_limit": 67_108_864,
                "application_id": Int(Schema.applicationID),
            ]
            let found = try await store.writer.write { session in
                try Self.settings(Array(expected.keys), of: session.database)
            }
            #expect(found == expected)
        }
    }

    @Test("Those that read have the cache that was asked for, and wait as long as GRDB has them")
    func readers() async throws {
        try await withSQLiteStore(Self.options) { store in
            let expected = ["foreign_keys": 1, "busy_timeout": 10_000, "cache_size": -777]
            let found = try await store.read { try Self.settings(Array(expected.keys), of: $0) }
            #expect(found == expected)
            await expectFailure(.unavailable) { try await store.read { try $0.execute(sql: "DELETE FROM users") } }
        }
    }

    @Test("Those of the hot reads can't write, and read the file without mapping it")
    func hotReaders() async throws {
        try await withSQLiteStore { store in
            let handle = try SQLiteHandle.open(store.path, cacheKiB: 123)
            defer { sqlite3_close_v2(handle) }
            func setting(_ name: String) throws -> Int64 {
                try PreparedStatement("PRAGMA \(name)", on: handle).use { statement in
                    try statement.step() ? statement.integer(0) : 0
                }
            }
            #expect(try setting("cache_size") == -123)
            #expect(try setting("query_only") == 1)
            #expect(try setting("busy_timeout") == 5_000)
            #expect(try setting("mmap_size") == 0)
        }
    }

    @Test("What belongs to a user goes with the user's row")
    func cascades() async throws {
        try await withSQLiteStore { store in
            try await store.give("card-1")
            try await store.record([DeviceEvent(1, .custom(name: "open"))])
            let tables = try await store.read { database in
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT m.name FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS f
                        WHERE m.type = 'table' AND f."table" = 'users' AND f.on_delete = 'CASCADE' ORDER BY 1
                        """
                )
            }
            #expect(tables.contains("deliveries") && tables.contains("histories") && tables.count >= 10)
            try await store.execute("DELETE FROM users")
            for table in ["deliveries", "histories"] {
                let sql = "SELECT count(*) FROM \(table)"
                #expect(try await store.read { try Int.fetchOne($0, sql: sql) } == 0)
            }
        }
    }

    @Test("Of what is deleted no file has a trace, the log neither once it is written back")
    func secureDeletion() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            let secret = "unforgettable-4711"
            try await store.record([DeviceEvent(1, .custom(name: ByteString(secret)))])
            let content = ContentBlock(name: "b", content: secret, description: "", updatedAt: noon)
            try await store.saveContentBlock(content, checkedAt: nil, by: command)
            try await store.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            func isFound() throws -> Bool {
                try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
                    try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")).range(of: Data(secret.utf8)) != nil
                }
            }
            #expect(try isFound())

            #expect(try await store.deleteUser(someone, at: noon, by: command))
            try await store.execute("DELETE FROM content_blocks")
            try await store.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            #expect(try !isFound())
            try await store.close()
            #expect(try !isFound())
        }
    }

    @Test("Every file that lies beside a database is its owner's alone, whatever the account's usual mode is")
    func modes() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            var options = SQLiteCardStore.Options()
            options.isServer = true
            let store = try SQLiteCardStore(path: path, options: options)
            try await store.give("card-1")
            try await store.backUp(to: folder + "/backup")
            func exposed() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
                    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                    return (attributes[.posixPermissions] as? Int ?? 0o777) & 0o177 != 0
                }
            }
            #expect(try exposed().isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count >= 7)
            try await store.close()
            _ = try await SQLiteCardStore.restore(folder + "/backup", to: path, at: noon)
            #expect(try exposed().isEmpty)
        }
    }
}
