import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: databases whose mark an earlier version has forgotten")
struct ForgottenMarkTests {
    private static let newest: UInt32 = 77

    /// Leaves a database as an earlier version did that was killed and started twice while another process read: the
    /// file has one mark, the log two more, and the lock remembers those of the log.
    private func forget(_ folder: String, isFirstPageWritten: Bool) async throws -> String {
        let (running, path) = (folder + "/running.sqlite", folder + "/placard.sqlite")
        try SQLiteCardStore.migrate(path: running)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: running, configuration: configuration)
        _ = try await reader.unsafeRead { database in
            try database.execute(sql: "BEGIN")
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM users")
        }
        // GRDB writes the first page, too, where the log is empty.
        let first = isFirstPageWritten ? "CREATE TABLE other (x); DROP TABLE other" : "UPDATE store SET checked_at = 1"
        try withDatabase(running) { try $0.execute(sql: first) }
        var options = SQLiteCardStore.Options()
        options.busyTimeout = .zero
        let store = try SQLiteCardStore(path: running, options: options)
        try await store.give("card-1")
        try withDatabase(running) { database in
            try database.execute(sql: "PRAGMA user_version = \(Self.newest)")
            for suffix in ["", "-wal", ".lock", ".key"] {
                try FileManager.default.copyItem(atPath: running + suffix, toPath: path + suffix)
            }
        }
        let lock = try #require(DatabaseLock(DatabaseFiles(path), isCreated: true))
        let drawn = try #require(lock.marks?.last)
        #expect(lock.note(drawn, Self.newest))
        try await store.close()
        try await reader.unsafeRead { try $0.execute(sql: "ROLLBACK") }
        try reader.close()
        return path
    }

    private func expectKept(_ path: String) async throws {
        let store = try SQLiteCardStore(path: path)
        #expect(!store.hasLostLog && !store.hasDamagedLog)
        #expect(try await store.userState(of: someone, including: []) != nil)
        try await store.close()
    }

    @Test("One whose mark is in the log's own pages starts")
    func inLog() async throws {
        try await withFolder { folder in try await expectKept(forget(folder, isFirstPageWritten: true)) }
    }

    @Test("One whose mark is nowhere is refused, and the repair that is named accepts the log")
    func nowhere() async throws {
        try await withFolder { folder in
            let path = try await forget(folder, isFirstPageWritten: false)
            let before = try FileState(path)
            let error = #expect(throws: StoreError.self) { _ = try SQLiteCardStore(path: path) }
            #expect(error?.code == .corrupt && error?.message.contains("placard repair --accept-log") == true)
            await expectFailure(.corrupt) { try await SQLiteCardStore.repair(path: path) }
            #expect(try FileState(path) == before)
            #expect(try await !SQLiteCardStore.repair(path: path, acceptsLog: true).hasLostLog)
            try await expectKept(path)
        }
    }

    @Test("Another database's log isn't accepted by a repair either")
    func foreign() async throws {
        try await withFolder { folder in
            let (path, backup) = (folder + "/placard.sqlite", folder + "/backup.sqlite")
            let store = try SQLiteCardStore(path: path)
            try await store.backUp(to: backup)
            try await store.give("card-1")
            let killed = folder + "/killed.sqlite"
            for suffix in ["-wal", ".lock", ".key"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: killed + suffix)
            }
            try FileManager.default.copyItem(atPath: backup, toPath: killed)
            try await store.close()
            let before = try FileState(killed)
            let error = await #expect(throws: StoreError.self) {
                _ = try await SQLiteCardStore.repair(path: killed, acceptsLog: true)
            }
            #expect(error?.code == .corrupt && error?.message.contains("--accept-log") == false)
            #expect(try FileState(killed) == before)
        }
    }
}
