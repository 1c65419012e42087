import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: a file that others write over", .timeLimit(.minutes(20)))
struct OverwrittenFileTests {
    private var server: SQLiteCardStore.Options {
        var options = SQLiteCardStore.Options()
        options.isServer = true
        options.busyTimeout = .zero
        return options
    }

    /// Writes bytes into a file as `cp` does: the file stays the same one.
    private func overwrite(_ path: String, with bytes: Data) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        // Not closed: in this process that would release SQLite's locks.
        withExtendedLifetime(handle) {}
    }

    /// Returns a store whose log has something, and a backup from before.
    private func storeAndBackup(in folder: String) async throws -> (store: SQLiteCardStore, backup: Data) {
        let path = folder + "/placard.sqlite"
        let first = try SQLiteCardStore(path: path, options: server)
        try await first.launch(.sample())
        try await first.give("card-1")
        try await first.backUp(to: folder + "/backup")
        try await first.record([.impression(1)])
        try await first.close()
        let store = try SQLiteCardStore(path: path, options: server)
        try await store.record([.impression(2)])
        return (store, try Data(contentsOf: URL(filePath: folder + "/backup")))
    }

    @Test("A backup that is copied over the file of a running server ends its writes, and stays what it is")
    func backupOverRunningServer() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let (store, backup) = try await storeAndBackup(in: folder)
            try overwrite(path, with: backup)

            let error = await #expect(throws: StoreError.self) { try await store.record([.impression(3)]) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("was written over by another program while it is in use") == true)
            let failed = await store.healthChecks().filter { $0.failure != nil }.map(\.name)
            #expect(failed.contains("file") && failed.contains("write"))
            try await store.close()
            #expect(try Data(contentsOf: URL(filePath: path)) == backup)

            // The log beside it is of what was there before.
            let refusal = #expect(throws: StoreError.self) { try SQLiteCardStore(path: path, options: server) }
            #expect(refusal?.code == .corrupt && refusal?.message.contains("belongs to another database") == true)
            _ = try await SQLiteCardStore.restore(folder + "/backup", to: path, at: noon)
            let restored = try SQLiteCardStore(path: path, options: server)
            #expect(try await restored.counts().impressions == 0)
            try await restored.close()
        }
    }

    @Test("What was written over is noticed though nobody writes")
    func noticedByLooking() async throws {
        try await withFolder { folder in
            let (store, backup) = try await storeAndBackup(in: folder)
            try overwrite(folder + "/placard.sqlite", with: backup)
            while !store.openFiles.isOverwritten { await Task.yield() }
            try await store.close()
        }
    }

    @Test("The mark of the file is the database's for as long as it is open")
    func markStays() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite", options: server)
            try await store.launch(.sample())
            for number in 1...40 {
                try await store.record([.impression(UInt64(number))])
                if number.isMultiple(of: 10) {
                    try await store.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
                    try await store.backUp(to: "\(folder)/backup-\(number)")
                }
            }
            #expect(store.openFiles.loss == nil)
            try await store.close()
        }
    }

    @Test("A second server that reaches the file by another name is refused")
    func otherName() async throws {
        try await withFolder { folder in
            let (path, other) = (folder + "/placard.sqlite", folder + "/other")
            let first = try SQLiteCardStore(path: path, options: server)
            try await first.launch(.sample())
            try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
            try FileManager.default.linkItem(atPath: path, toPath: other + "/placard.sqlite")

            let error = #expect(throws: StoreError.self) {
                try SQLiteCardStore(path: other + "/placard.sqlite", options: server)
            }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("under another name") == true)
            try await first.close()
            let next = try SQLiteCardStore(path: other + "/placard.sqlite", options: server)
            #expect(try await next.campaign(Campaign.sample().id) != nil)
            try await next.close()
        }
    }
}
