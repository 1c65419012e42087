import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: one server")
struct ServerLockTests {
    private var server: SQLiteCardStore.Options {
        var options = SQLiteCardStore.Options()
        options.isServer = true
        options.busyTimeout = .zero
        return options
    }

    @Test("A second server is refused and told which one serves the database, and starts once that one has closed it")
    func second() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path, options: server)
            try await first.launch(.sample())
            try await first.give("card-1")

            let error = #expect(throws: StoreError.self) { try SQLiteCardStore(path: path, options: server) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("Another server (process \(getpid()) on ") == true)
            #expect(error?.message.contains("serves \(path)") == true)
            // Undisturbed by the one that was refused.
            try await first.record([.impression(1)])
            #expect(try await first.counts().impressions == 1)

            try await first.close()
            let next = try SQLiteCardStore(path: path, options: server)
            #expect(try await next.counts().impressions == 1)
            try await next.close()
        }
    }

    @Test("A second server waits for one that is stopping")
    func waits() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path, options: server)
            var patient = server
            patient.busyTimeout = .seconds(60)
            let options = patient
            async let second = Task.detached { try SQLiteCardStore(path: path, options: options) }.value
            try await first.close()
            try await second.close()
        }
    }

    @Test("Commands use the database beside its server")
    func beside() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path, options: server)
            try await first.launch(.sample())
            let command = try SQLiteCardStore(path: path, options: .init(migrate: false))
            try await command.give("card-1")
            try await command.close()
            try await first.record([.impression(1)])
            #expect(try await first.counts().impressions == 1)
            try await first.close()
        }
    }

    @Test(
        "Whatever the file of the lock says, a second server is refused and the next one starts",
        arguments: ["", "1 2", "1 2 3 4", "\u{0}\u{7F}\u{1B}[31m", String(repeating: "x", count: 100_000)]
    )
    func hostileRecord(_ text: String) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path, options: server)
            let handle = try #require(FileHandle(forWritingAtPath: path + ".server"))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()

            let error = #expect(throws: StoreError.self) { try SQLiteCardStore(path: path, options: server) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.hasPrefix("Another server serves \(path)") == true)

            try await first.close()
            try await SQLiteCardStore(path: path, options: server).close()
        }
    }

    @Test(
        "A database that another process has open isn't migrated, and is once that one has ended",
        arguments: [false, true]
    )
    func migration(isServer: Bool) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let done = try #require(Schema.migrations.dropLast().last)
            try withDatabase(path) { try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
            let pool = try DatabasePool(path: path)
            try Schema.migrator.migrate(pool, upTo: done.identifier)
            try pool.close()
            let older = try #require(DatabaseLock(DatabaseFiles(path), isCreated: true))
            #expect(older.share())
            let before = try migrations(of: path)

            var options = server
            options.isServer = isServer
            let error = #expect(throws: StoreError.self) { try SQLiteCardStore(path: path, options: options) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("Stop the server of the older version first") == true)
            #expect(try migrations(of: path) == before)

            older.release()
            let store = try SQLiteCardStore(path: path, options: options)
            #expect(store.migration.steps == [try #require(Schema.migrations.last).identifier])
            try await store.close()
        }
    }

    private func migrations(of path: String) throws -> [String] {
        try withDatabase(path) {
            try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
        }
    }
}
