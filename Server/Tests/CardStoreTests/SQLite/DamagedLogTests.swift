import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: write-ahead logs that are damaged, gone or another database's")
struct DamagedLogTests {
    private static let frame = 24 + 4_096
    private static let newest = UserID(rawValue: "user-39")

    /// Leaves a database whose server was killed: what was written last is in the log alone.
    private func crash(_ folder: String, _ name: String = "placard.sqlite") async throws -> String {
        let (running, path) = (folder + "/running-" + name, folder + "/" + name)
        let store = try SQLiteCardStore(path: running)
        for number in 1..<40 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
        try copy(running, to: path)
        try await store.close()
        return path
    }

    /// Copies a database as it is at that moment, as a kill would leave it.
    private func copy(_ running: String, to path: String) throws {
        for suffix in ["", "-wal", ".lock", ".key"] {
            try FileManager.default.copyItem(atPath: running + suffix, toPath: path + suffix)
        }
    }

    /// Changes a byte of the log.
    private func flip(_ path: String, at place: (Data) -> Int) throws {
        let url = URL(fileURLWithPath: path + "-wal")
        var log = try Data(contentsOf: url)
        log[place(log)] ^= 0x55
        try log.write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "-wal")
    }

    private func finding(_ subject: String, _ path: String) async -> StoreFinding? {
        await SQLiteCardStore.diagnose(path: path, isFull: false).first { $0.subject == subject }
    }

    @Test(
        "A log that is damaged before its last transactions is named, and kept when a server starts",
        arguments: [
            ("the page of a frame", 32 + 2 * frame + 500), ("the salt of a frame", 32 + 2 * frame + 9),
            ("the checksum of a frame", 32 + 3 * frame + 17), ("the page number of a frame", 32 + 2 * frame + 3),
            ("the salt of the header", 17), ("the checksum of the header", 25), ("the size of pages", 9),
        ]
    )
    func damaged(_ place: (name: String, offset: Int)) async throws {
        try await withFolder { folder in
            let path = try await crash(folder)
            #expect(LogScan(path + "-wal").end == .whole)
            try flip(path) { _ in place.offset }
            let before = try FileState(path)
            for subject in ["log-end", "database"] {
                let found = await finding(subject, path)
                #expect(found?.level == .bad && found?.command == "placard restore FILE", "\(place.name)")
            }
            // As a backup, it is refused: there may be a better one.
            await expectFailure(.corrupt) { try await SQLiteCardStore.restore(path, to: folder + "/new.sqlite", at: 0) }
            #expect(try FileState(path) == before)

            let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            let store = try SQLiteCardStore(path: path)
            #expect(store.hasDamagedLog && !store.hasLostLog)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal.damaged")) == log)
            let mode = try FileManager.default.attributesOfItem(atPath: path + "-wal.damaged")[.posixPermissions]
            #expect(mode as? Int == 0o600)
            try await store.close()
            let again = try SQLiteCardStore(path: path)
            #expect(!again.hasDamagedLog)
            try await again.close()
        }
    }

    @Test("A log whose last frame isn't whole is what a power failure leaves: the server starts without it")
    func unfinished() async throws {
        try await withFolder { folder in
            let path = try await crash(folder)
            try flip(path) { $0.count - 100 }
            #expect(LogScan(path + "-wal").end == .unfinished)
            #expect(await finding("log-end", path)?.level == .warning)
            let store = try SQLiteCardStore(path: path)
            #expect(try await store.userState(of: UserID(rawValue: "user-38"), including: []) != nil)
            #expect(try await store.userState(of: Self.newest, including: []) == nil)
            try await store.close()
        }
    }

    @Test("Without the file of the lock, only a log that shows by itself that it is another's is refused")
    func withoutLock() async throws {
        try await withFolder { folder in
            // Nothing was written to its first page since it was opened, so nothing says whose the log is: a copy.
            let own = try await crash(folder, "own.sqlite")
            try FileManager.default.removeItem(atPath: own + ".lock")
            #expect(LogScan(own + "-wal").marks.isEmpty)
            #expect(await finding("database", own)?.level == .good)
            let store = try SQLiteCardStore(path: own)
            #expect(try await store.userState(of: Self.newest, including: []) != nil)
            try await store.close()

            let marked = folder + "/marked.sqlite"
            let other = try DatabasePool(path: marked)
            try await other.write { database in
                try database.execute(sql: "CREATE TABLE t (x)")
                try FileManager.default.copyItem(atPath: marked, toPath: marked + ".copy")
            }
            try FileManager.default.copyItem(atPath: marked + "-wal", toPath: marked + ".copy-wal")
            try other.close()
            let files = DatabaseFiles(marked + ".copy")
            #expect(LogScan(files.log).marks == [0])
            try LogOwnership.check(files, nil)

            // Another database of ours.
            let path = try await crash(folder, "one.sqlite")
            try FileManager.default.removeItem(atPath: path + ".lock")
            try FileManager.default.removeItem(atPath: path + "-wal")
            try FileManager.default.copyItem(atPath: marked + ".copy-wal", toPath: path + "-wal")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "-wal")
            let before = try FileState(path)
            let error = #expect(throws: StoreError.self) { _ = try SQLiteCardStore(path: path) }
            #expect(error?.code == .corrupt && error?.message.contains("another database") == true)
            #expect(await finding("database", path)?.level == .bad)
            await expectFailure(.corrupt) { try await SQLiteCardStore.restore(path, to: folder + "/new.sqlite", at: 0) }
            #expect(try FileState(path) == before)
        }
    }

    @Test("A migration leaves no log behind, and none is missed")
    func migrated() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try SQLiteCardStore.migrate(path: path)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(names == ["placard.sqlite", "placard.sqlite.key", "placard.sqlite.lock"])
            #expect(await finding("log-end", path)?.level == .good)
            try createOldDatabase(folder + "/old.sqlite")
            try SQLiteCardStore.migrate(path: folder + "/old.sqlite")
            #expect(!FileManager.default.fileExists(atPath: folder + "/old.sqlite-wal"))
            #expect(await finding("log-end", folder + "/old.sqlite")?.level == .good)
        }
    }

    @Test("A log that vanished while the server was killed is named, and one that was closed is not missed")
    func gone() async throws {
        try await withFolder { folder in
            let path = try await crash(folder)
            #expect(await finding("log-end", path)?.level == .good)
            try FileManager.default.removeItem(atPath: path + "-wal")
            let found = await finding("log-end", path)
            #expect(found?.level == .warning && found?.message.contains("is gone") == true)
            #expect(found?.command == "placard audit verify")

            let store = try SQLiteCardStore(path: path)
            #expect(store.hasLostLog)
            try await store.close()
            #expect(await finding("log-end", path)?.level == .good)
            let again = try SQLiteCardStore(path: path)
            #expect(!again.hasLostLog)
            try await again.close()
            _ = try await SQLiteCardStore.repair(path: path)
            #expect(await finding("log-end", path)?.level == .good)
        }
    }

    @Test("A log that was emptied while the server was killed is named", arguments: [0, 20, 32])
    func emptied(_ bytes: Int) async throws {
        try await withFolder { folder in
            let path = try await crash(folder)
            try FileHandle(forWritingTo: URL(fileURLWithPath: path + "-wal")).truncate(atOffset: UInt64(bytes))
            try await expectEmptied(path)
        }
    }

    @Test("A log that was written over by zeros is named as one that was emptied", arguments: [true, false])
    func zeros(isWhole: Bool) async throws {
        try await withFolder { folder in
            let path = try await crash(folder)
            let url = URL(fileURLWithPath: path + "-wal")
            var log = try Data(contentsOf: url)
            // SQLite plays nothing of what follows a header that is wrong.
            log.resetBytes(in: 0..<(isWhole ? log.count : Self.frame))
            try log.write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            try await expectEmptied(path)
        }
    }

    /// Puts zeros in the place of a quarter of the log, as a power failure does where the file had grown.
    private func clearEnd(_ path: String, within frame: Int) throws {
        let url = URL(fileURLWithPath: path + "-wal")
        var log = try Data(contentsOf: url)
        let frames = (log.count - 32) / Self.frame
        try #require(frames > 40)
        log.resetBytes(in: (32 + frames * 3 / 4 * Self.frame + frame)..<log.count)
        try log.write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }

    @Test(
        "A log whose later part is zeros is named by doctor, by the server that starts and by a repair, once each",
        arguments: [
            ("between frames", 0), ("within the number of a page", 2), ("within a salt", 10), ("within a checksum", 21),
            ("within a page", 600),
        ]
    )
    func blank(_ place: (name: String, offset: Int)) async throws {
        try await withFolder { folder in
            let path = try await crash(folder)
            try clearEnd(path, within: place.offset)
            #expect(LogScan(path + "-wal").end == .blank)
            let found = await finding("log-end", path)
            #expect(found?.level == .warning && found?.message.contains("zeros") == true)
            #expect(found?.command == "placard audit verify")
            // The first look has made the memory that processes share.
            let before = try FileState(path)
            #expect(await finding("log-end", path) == found)
            #expect(try FileState(path) == before)

            let repaired = folder + "/repaired.sqlite"
            try copy(path, to: repaired)
            let repair = try await SQLiteCardStore.repair(path: repaired)
            #expect(repair.hasBlankLog && !repair.hasLostLog)
            #expect(await finding("log-end", repaired)?.level == .good)
            #expect(try await !SQLiteCardStore.repair(path: repaired).hasBlankLog)

            let store = try SQLiteCardStore(path: path)
            #expect(store.hasBlankLog && !store.hasDamagedLog && !store.hasLostLog)
            #expect(try await store.userState(of: UserID(rawValue: "user-1"), including: []) != nil)
            #expect(try await store.userState(of: Self.newest, including: []) == nil)
            // The zeros are gone, and what is written now isn't taken for them after the next kill.
            try await store.give("card-40", to: UserID(rawValue: "user-40"))
            let killed = folder + "/killed.sqlite"
            try copy(path, to: killed)
            #expect(LogScan(killed + "-wal").end == .whole)
            #expect(await finding("log-end", killed)?.level == .good)
            try await store.close()
            let again = try SQLiteCardStore(path: path)
            #expect(!again.hasBlankLog)
            try await again.close()
        }
    }

    private func expectEmptied(_ path: String) async throws {
        let found = await finding("log-end", path)
        #expect(found?.level == .warning && found?.message.contains("was emptied") == true)
        #expect(found?.command == "placard audit verify")
        let store = try SQLiteCardStore(path: path)
        #expect(store.hasLostLog && !store.hasDamagedLog)
        try await store.close()
        #expect(await finding("log-end", path)?.level == .good)
        let again = try SQLiteCardStore(path: path)
        #expect(!again.hasLostLog)
        try await again.close()
    }

    @Test("A repair tells of a log that is missing, and one that fails leaves that to be told")
    func repaired() async throws {
        try await withFolder { folder in
            let path = try await crash(folder)
            try FileManager.default.removeItem(atPath: path + "-wal")
            #expect(try await SQLiteCardStore.repair(path: path).hasLostLog)
            #expect(await finding("log-end", path)?.level == .good)
            #expect(try await !SQLiteCardStore.repair(path: path).hasLostLog)

            let other = try await crash(folder, "other.sqlite")
            try FileManager.default.removeItem(atPath: other + "-wal")
            try withDatabase(other) { try $0.execute(sql: "DROP TABLE spending") }
            await expectFailure(.corrupt) { try await SQLiteCardStore.repair(path: other) }
            let found = await finding("log-end", other)
            #expect(found?.level == .warning && found?.message.contains("is gone") == true)
        }
    }

    @Test("A log that was empty when the server was killed is not missed, nor one that was written back")
    func nothingLost() async throws {
        try await withFolder { folder in
            let (running, path) = (folder + "/running.sqlite", folder + "/placard.sqlite")
            let store = try SQLiteCardStore(path: running)
            try copy(running, to: path)
            try await store.give("card-1")
            #expect(DatabaseLock(DatabaseFiles(running), isCreated: false)?.logState == .written)
            try await store.close()
            #expect(DatabaseFiles.size(of: path + "-wal") == 0)
            for path in [running, path] {
                #expect(await finding("log-end", path)?.level == .good)
                let next = try SQLiteCardStore(path: path)
                #expect(!next.hasLostLog)
                try await next.close()
            }
        }
    }
}
