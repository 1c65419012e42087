import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: write-ahead logs that a stop leaves beside a process that reads")
struct LeftLogTests {
    private static let second = UserID(rawValue: "user-2")

    private var impatient: SQLiteCardStore.Options {
        var options = SQLiteCardStore.Options()
        options.busyTimeout = .zero
        return options
    }

    /// Opens a database as a program does that reads for long, and could write.
    private func openReader(of path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func begin(_ reader: DatabaseQueue) async throws {
        _ = try await reader.unsafeRead { database in
            try database.execute(sql: "BEGIN")
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM users")
        }
    }

    /// Ends reading; the last one that closes a database writes the log back and removes it.
    private func end(_ reader: DatabaseQueue) async throws {
        try await reader.unsafeRead { try $0.execute(sql: "ROLLBACK") }
        try reader.close()
    }

    /// Opens a store, writes to it and closes it in good order while a reader reads.
    private func stop(_ path: String, beside reader: DatabaseQueue, readsBefore: Bool = false) async throws {
        if readsBefore { try await begin(reader) }
        let store = try SQLiteCardStore(path: path, options: impatient)
        try await store.give("card-1")
        if !readsBefore { try await begin(reader) }
        try await store.give("card-2", to: Self.second)
        try await store.close()
        #expect(DatabaseFiles(path).hasLog)
    }

    private func finding(_ path: String) async -> StoreFinding? {
        await SQLiteCardStore.diagnose(path: path, isFull: false).first { $0.subject == "log-end" }
    }

    private func state(_ path: String) -> DatabaseLock.LogState? {
        DatabaseLock(DatabaseFiles(path), isCreated: false)?.logState
    }

    @Test("One that the reader writes back when it ends isn't missed", arguments: [false, true])
    func writtenBack(readsBefore: Bool) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try SQLiteCardStore.migrate(path: path)
            let reader = try openReader(of: path)
            try await stop(path, beside: reader, readsBefore: readsBefore)
            #expect(state(path) == .left)
            #expect(await finding(path)?.level == .good)
            try await end(reader)
            #expect(DatabaseFiles.size(of: path + "-wal") == nil)
            #expect(await finding(path)?.level == .good)
            let store = try SQLiteCardStore(path: path)
            #expect(!store.hasLostLog)
            #expect(try await store.userState(of: Self.second, including: []) != nil)
            try await store.close()
            #expect(state(path) == .closed)
        }
    }

    @Test("One that goes without having been written back is missed", arguments: ["gone", "emptied", "zeros"])
    func lost(_ event: String) async throws {
        try await withFolder { folder in
            let (running, path) = (folder + "/running.sqlite", folder + "/placard.sqlite")
            try SQLiteCardStore.migrate(path: running)
            let reader = try openReader(of: running)
            try await stop(running, beside: reader, readsBefore: true)
            let size = try #require(DatabaseFiles.size(of: running + "-wal"))
            for suffix in ["", ".lock", ".key"] {
                try FileManager.default.copyItem(atPath: running + suffix, toPath: path + suffix)
            }
            if event != "gone" {
                let isMade = FileManager.default.createFile(
                    atPath: path + "-wal",
                    contents: Data(count: event == "zeros" ? Int(size) : 0),
                    attributes: [.posixPermissions: 0o600]
                )
                #expect(isMade)
            }
            try await end(reader)
            #expect(await finding(path)?.level == .warning)
            let store = try SQLiteCardStore(path: path)
            #expect(store.hasLostLog)
            #expect(try await store.userState(of: Self.second, including: []) == nil)
            try await store.close()
            #expect(await finding(path)?.level == .good)
        }
    }

    @Test("One that is still there is played, start after start beside the reader, and by a repair")
    func played() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try SQLiteCardStore.migrate(path: path)
            let reader = try openReader(of: path)
            try await begin(reader)
            for number in 1...4 {
                let store = try SQLiteCardStore(path: path, options: impatient)
                #expect(!store.hasLostLog && !store.hasDamagedLog)
                try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)"))
                try await store.close()
                #expect(state(path) == .left)
            }
            #expect(try await !SQLiteCardStore.repair(path: path).hasLostLog)
            #expect(state(path) == .left)
            try await end(reader)
            #expect(await finding(path)?.level == .good)
            let store = try SQLiteCardStore(path: path)
            #expect(!store.hasLostLog)
            for number in 1...4 {
                #expect(try await store.userState(of: UserID(rawValue: "user-\(number)"), including: []) != nil)
            }
            try await store.close()
        }
    }

    @Test("One that is all in the database, and that a reader only uses, isn't missed when it goes")
    func used() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path, options: impatient)
            try await store.give("card-1")
            let reader = try openReader(of: path)
            try await begin(reader)
            try await store.close()
            #expect(state(path) == .closed)
            try await end(reader)
            #expect(await finding(path)?.level == .good)
            let next = try SQLiteCardStore(path: path)
            #expect(!next.hasLostLog)
            try await next.close()
        }
    }
}
