import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import PostgresTesting
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: restoring")
struct RestoreTests {
    /// Leaves a database whose server was killed: what was written last is in the log alone.
    ///
    /// - Returns: The path of a backup from before that.
    private func crash(_ path: String, _ folder: String) async throws -> String {
        let store = try SQLiteCardStore(path: folder + "/running.sqlite")
        try await store.give("card-1")
        let backup = folder + "/backup.sqlite"
        try await store.backUp(to: backup)
        for number in 2..<40 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
        for suffix in ["", "-wal", ".lock", ".key"] {
            try FileManager.default.copyItem(atPath: folder + "/running.sqlite" + suffix, toPath: path + suffix)
        }
        try await store.close()
        return backup
    }

    @Test("What root restores or creates belongs to the account of the folder", .enabled(if: geteuid() == 0))
    func rootsFiles() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await crash(path, folder)
            try FileManager.default.removeItem(atPath: path + ".lock")
            #expect(chown(folder, 12_345, 12_345) == 0)
            _ = try await SQLiteCardStore.restore(backup, to: path, at: 0)
            for suffix in ["", ".lock"] {
                var status = stat()
                #expect(stat(path + suffix, &status) == 0)
                #expect(status.st_uid == 12_345 && status.st_gid == 12_345)
            }
            // A link that the folder's account has laid leads to nothing that it gets.
            let other = try #require(URL(fileURLWithPath: folder).deletingLastPathComponent().path as String?)
            let target = "\(other)/\(UUID().uuidString)"
            #expect(FileManager.default.createFile(atPath: target, contents: Data()))
            defer { unlink(target) }
            unlink(path + ".lock")
            #expect(symlink(target, path + ".lock") == 0)
            try await SQLiteCardStore(path: path).close()
            var status = stat()
            #expect(stat(target, &status) == 0 && status.st_uid == 0)

            #expect(chown(path, 0, 0) == 0)
            let finding = await SQLiteCardStore.diagnose(path: path, isFull: false).first { $0.subject == "access" }
            #expect(finding?.level == .bad && finding?.command?.hasPrefix("chown --reference=") == true)
        }
    }

    @Test("A killed server's database opens with its log")
    func ownLog() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            _ = try await crash(path, folder)
            let store = try SQLiteCardStore(path: path)
            #expect(try await store.userState(of: UserID(rawValue: "user-39")) != nil)
            try await store.close()
        }
    }

    @Test("A backup that was copied over the database is refused while the old log lies beside it, and nothing changes")
    func foreignLog() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await crash(path, folder)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: backup, toPath: path)
            let before = try FileState(path)

            let error = #expect(throws: StoreError.self) { _ = try SQLiteCardStore(path: path) }
            #expect(error?.code == .corrupt)
            #expect(error?.message.contains("placard restore") == true)
            let findings = await SQLiteCardStore.diagnose(path: path, isFull: false)
            #expect(findings.first?.level == .bad && findings.first?.command == "placard restore FILE")
            await expectFailure(.corrupt) {
                try await SQLiteCardStore.backUp(databaseAt: path, to: folder + "/second.sqlite")
            }
            #expect(try FileState(path) == before)
        }
    }

    @Test("A backup that is verified is checked and counted before it gets its name")
    func verified() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            _ = try await crash(path, folder)
            let (contents, _) = try await SQLiteCardStore.backUpVerified(databaseAt: path, to: folder + "/good.sqlite")
            #expect(contents.counts.first { $0.name == "users" }?.count == 39)
            try FileManager.default.removeItem(atPath: path)
            _ = try await SQLiteCardStore.restore(folder + "/good.sqlite", to: path, at: 0)

            // An entry of an index is another one: each page by itself is as it should be.
            let queue = try DatabaseQueue(path: path)
            try await queue.writeWithoutTransaction { database in
                try database.execute(
                    sql: """
                        PRAGMA writable_schema = ON;
                        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'segments')
                        WHERE rowid = (SELECT rowid FROM sqlite_schema WHERE type = 'index' AND tbl_name =
                            'events' LIMIT 1);
                        """
                )
            }
            try queue.close()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            await expectFailure(.corrupt) {
                _ = try await SQLiteCardStore.backUpVerified(databaseAt: path, to: folder + "/bad.sqlite")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
        }
    }

    @Test("A database that is gone is not replaced by an empty one while its log is there", arguments: [true, false])
    func missingDatabase(isEmpty: Bool) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            _ = try await crash(path, folder)
            try FileManager.default.removeItem(atPath: path)
            if isEmpty { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
            let log = DatabaseFiles.size(of: path + "-wal")

            await expectFailure(.corrupt) { try SQLiteCardStore(path: path) }

            #expect(DatabaseFiles.size(of: path + "-wal") == log)
        }
    }

    @Test("Restoring sets the database and its log aside, and the backup opens as it was made")
    func restores() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await crash(path, folder)

            let restored = try await SQLiteCardStore.restore(backup, to: path, at: noon)

            #expect(restored.contents.counts.first { $0.name == "users" }?.count == 1)
            #expect(!restored.isOlder && restored.missingKey == nil)
            for suffix in ["-wal", "-shm", "-journal"] { #expect(DatabaseFiles.size(of: path + suffix) == nil) }
            let store = try SQLiteCardStore(path: path)
            #expect(try await store.userState(of: someone)?.deliveries.count == 1)
            #expect(try await store.userState(of: UserID(rawValue: "user-39")) == nil)
            #expect(await store.finding("integrity")?.level == .good)
            try await store.close()
            let previous = try SQLiteCardStore(path: try #require(restored.previous))
            #expect(try await previous.userState(of: UserID(rawValue: "user-39")) != nil)
            try await previous.close()
        }
    }

    @Test("Restoring twice within a second keeps both databases, and each restoration has a history of its own")
    func restoresTwice() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await crash(path, folder)
            var epochs: Set<UInt64> = []
            var previous: Set<String?> = []
            for _ in 0..<2 {
                previous.insert(try await SQLiteCardStore.restore(backup, to: path, at: noon).previous)
                let store = try SQLiteCardStore(path: path)
                epochs.insert(store.epoch)
                try await store.close()
            }
            #expect(epochs.count == 2)
            #expect(previous.count == 2 && !previous.contains(nil))
        }
    }

    @Test("Restoring removes the database before where that is wanted")
    func discards() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await crash(path, folder)
            let restored = try await SQLiteCardStore.restore(backup, to: path, discardsPrevious: true, at: noon)
            #expect(restored.previous == nil)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!names.contains { $0.contains("before-restore") || $0.hasSuffix(".partial") })
        }
    }

    @Test("While a process has the database open, nothing is restored")
    func refusesWhileOpen() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            let second = try SQLiteCardStore(path: path)
            try await store.give("card-1")
            let backup = folder + "/backup.sqlite"
            try await store.backUp(to: backup)
            for _ in 0..<2 {
                await expectFailure(.unavailable) { try await SQLiteCardStore.restore(backup, to: path, at: noon) }
                await expectFailure(.unavailable) { try await SQLiteCardStore.repair(path: path) }
                try await store.close()
            }
            try await second.close()
            _ = try await SQLiteCardStore.restore(backup, to: path, at: noon)
        }
    }

    @Test("While another program has the database open, nothing is restored, and afterwards it is")
    func foreignWriter() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.give("card-1")
            try await store.backUp(to: folder + "/backup.sqlite")
            try await store.close()
            let script = """
                import os, sqlite3, sys
                c = sqlite3.connect(sys.argv[1], isolation_level=None)
                c.execute("BEGIN IMMEDIATE")
                os.write(1, b"1")
                sys.stdin.read()
                """
            let (input, output) = (Pipe(), Pipe())
            let other = try ChildProcess(
                ["/usr/bin/env", "python3", "-c", script, path],
                input: input.fileHandleForReading.fileDescriptor,
                output: output.fileHandleForWriting.fileDescriptor
            )
            #expect(output.fileHandleForReading.availableData == Data("1".utf8))
            let before = try Data(contentsOf: URL(fileURLWithPath: path))

            await expectFailure(.unavailable) {
                try await SQLiteCardStore.restore(folder + "/backup.sqlite", to: path, at: 0)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            try input.fileHandleForWriting.close()
            other.wait()
            _ = try await SQLiteCardStore.restore(folder + "/backup.sqlite", to: path, at: 0)
        }
    }

    @Test("A backup that is damaged, empty, missing or another program's is refused, and the database stays")
    func refusesBadBackups() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await crash(path, folder)
            let before = try FileState(path)
            let size = Int(DatabaseFiles.size(of: backup) ?? 0)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: backup))
            try file.seek(toOffset: UInt64(size / 8192) * 4096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 12_288))
            try file.close()
            try Data().write(to: URL(fileURLWithPath: folder + "/empty.sqlite"))
            try withDatabase(folder + "/other.sqlite") { try $0.execute(sql: "CREATE TABLE notes (text)") }

            await expectFailure(.corrupt) { try await SQLiteCardStore.restore(backup, to: path, at: noon) }
            await expectFailure(.corrupt) {
                try await SQLiteCardStore.restore(folder + "/empty.sqlite", to: path, at: noon)
            }
            await expectFailure(.notFound) { try await SQLiteCardStore.restore(folder + "/none", to: path, at: noon) }
            await expectFailure(.incompatible) {
                try await SQLiteCardStore.restore(folder + "/other.sqlite", to: path, at: noon)
            }
            await expectFailure(.exists) { try await SQLiteCardStore.restore(path, to: path, at: noon) }
            for name in ["empty.sqlite", "other.sqlite"] {
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
            #expect(try FileState(path) == before)
        }
    }

    @Test("A backup that is cut short is refused by its name, not as the database", arguments: [2, 3, 300])
    func cutShort(divisor: Int) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await crash(path, folder)
            let before = try FileState(path)
            let whole = try Data(contentsOf: URL(fileURLWithPath: backup))
            try whole.prefix(whole.count / divisor).write(to: URL(fileURLWithPath: backup))

            let error = await #expect(throws: StoreError.self) {
                try await SQLiteCardStore.restore(backup, to: path, at: noon)
            }

            #expect(error?.code == .corrupt)
            let message = try #require(error?.message)
            #expect(message.contains(DatabaseFiles(backup).main) && message.contains("Nothing was changed"))
            #expect(!message.contains("Stop the server") && !message.contains("in its place"))
            #expect(try FileState(path) == before)
        }
    }

    @Test("A restoration that fails at the last step leaves the database with its log")
    func takenBack() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await crash(path, folder)
            // The log of the database before can't have its name there.
            let taken = "\(path).before-restore-20270115T080000Z-wal"
            try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: false)
            let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()

            await expectFailure(.unavailable) {
                _ = try await SQLiteCardStore.restore(backup, to: path, at: 1_800_000_000)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
            let store = try SQLiteCardStore(path: path)
            #expect(try await store.userState(of: UserID(rawValue: "user-39")) != nil)
            try await store.close()
        }
    }

    @Test("A backup onto a file that is there names it")
    func backupExists() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            let backup = folder + "/backup.sqlite"
            try await store.backUp(to: backup)
            let error = await #expect(throws: StoreError.self) { try await store.backUp(to: backup) }
            #expect(error?.code == .exists && error?.message.contains(backup) == true)
            try await store.close()
        }
    }

    @Test("What a killed backup left is removed by the next, unless it is still being written")
    func leftovers() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            let left = "\(folder)/monday.sqlite.\(UUID().uuidString).partial"
            for suffix in ["", "-journal"] { try Data(count: 10).write(to: URL(fileURLWithPath: left + suffix)) }
            let other = "\(folder)/notes.partial"
            try Data(count: 10).write(to: URL(fileURLWithPath: other))
            let active = try #require(PartialFile(beside: folder + "/tuesday.sqlite"))
            try Data(count: 10).write(to: URL(fileURLWithPath: left))
            #expect(await store.finding("leftovers")?.level == .warning)

            try await store.backUp(to: folder + "/wednesday.sqlite")

            #expect(DatabaseFiles.size(of: left) == nil && DatabaseFiles.size(of: left + "-journal") == nil)
            #expect(DatabaseFiles.size(of: active.path) != nil && DatabaseFiles.size(of: other) == 10)
            #expect(await store.finding("leftovers")?.level == .good)
            active.remove()
            try await store.close()
        }
    }
}
