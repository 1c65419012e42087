import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

#if os(Linux)
@Suite("SQLite: disks", .timeLimit(.minutes(20)))
struct DiskTests {
    /// Runs a test on a disk of 4 MiB.
    private func withSmallDisk(_ body: (String) async throws -> Void) async throws {
        try await withFolder { folder in
            try #require(mount("tmpfs", folder, "tmpfs", 0, "size=4m") == 0, "the small disk cannot be mounted")
            defer { umount2(folder, Int32(MNT_DETACH)) }
            try await body(folder)
        }
    }

    /// Takes all the room that is left.
    private func fill(_ path: String) throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for size in [65_536, 4_096] {
            while (try? file.write(contentsOf: Data(count: size))) != nil {}
        }
        try file.close()
    }

    @Test(
        "A full disk refuses writes and loses nothing; once there is room the store works on",
        .enabled(if: geteuid() == 0, "mounting needs root")
    )
    func fullDisk() async throws {
        try await withSmallDisk { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            try await store.launch(.sample())
            try await store.give("card-1")
            try fill(folder + "/filler")

            var (accepted, number): (Int64, UInt64) = (0, 0)
            var failure: StoreError?
            while failure == nil, number < 100_000 {
                do {
                    let outcome = try await store.record((number..<number + 100).map { .impression($0) })
                    accepted += Int64(outcome.receipt.accepted)
                    number += 100
                } catch {
                    failure = error as? StoreError
                }
            }

            #expect(failure?.code == .diskFull)
            #expect(try await store.counts().impressions == accepted)
            #expect(try await store.userRevision(of: someone) != nil)
            await expectFailure(.diskFull) { try await store.checkHealth() }
            #expect(await store.finding("space")?.level == .bad)

            try FileManager.default.removeItem(atPath: folder + "/filler")

            let again = try await store.record((number..<number + 100).map { .impression($0) })
            #expect(again.receipt.accepted == 100)
            #expect(try await store.counts().impressions == accepted + 100)
            try await store.checkHealth()
            #expect(await store.finding("integrity")?.level == .good)
            try await store.close()
        }
    }

    @Test(
        "A backup that does not fit leaves nothing behind",
        .enabled(if: geteuid() == 0, "mounting needs root")
    )
    func backupDoesNotFit() async throws {
        try await withSmallDisk { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            try await store.record([DeviceEvent(1, .custom(name: "a"))])
            try fill(folder + "/filler")

            let error = await #expect(throws: StoreError.self) { try await store.backUp(to: folder + "/backup") }

            #expect(error?.code == .diskFull)
            let message = try #require(error?.message)
            #expect(message.contains("no room for the backup \(folder)/backup (SQLite 13: database or disk is full)"))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!files.contains { $0.hasPrefix("backup") })
            try FileManager.default.removeItem(atPath: folder + "/filler")
            try await store.close()
        }
    }

    @Test(
        "A restoration that does not fit changes nothing, and says how much room it needs",
        .enabled(if: geteuid() == 0, "mounting needs root")
    )
    func restorationDoesNotFit() async throws {
        try await withFolder { elsewhere in
            let source = try SQLiteCardStore(path: elsewhere + "/source.sqlite")
            let backup = elsewhere + "/backup.sqlite"
            try await source.backUp(to: backup)
            try await source.close()
            try await withSmallDisk { folder in
                let path = folder + "/placard.sqlite"
                try await SQLiteCardStore(path: path).close()
                try fill(folder + "/filler")
                let before = try FileState(path)

                let error = await #expect(throws: StoreError.self) {
                    try await SQLiteCardStore.restore(backup, to: path, at: noon)
                }

                #expect(error?.code == .diskFull)
                let size = try #require(DatabaseFiles.size(of: backup))
                #expect(error?.message.contains("\(size) bytes") == true)
                #expect(error?.message.contains("Nothing was changed") == true)
                #expect(try FileState(path) == before)
            }
        }
    }

    @Test(
        "On a full disk, the doctor says that it is full",
        .enabled(if: geteuid() == 0, "mounting needs root")
    )
    func diagnosisOfFullDisk() async throws {
        try await withSmallDisk { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            try fill(folder + "/filler")
            let findings = await SQLiteCardStore.diagnose(path: path, isFull: true)
            let database = try #require(findings.first { $0.subject == "database" })
            #expect(database.level == .good || database.message.contains("is full"))
            #expect(findings.first { $0.subject == "space" }?.level == .bad)
        }
        let failure = SQLiteError(code: 4_874, message: "disk I/O error")
        #expect(StoreError(failure).message.hasPrefix("The disk of the database is full"))
    }

    /// Makes a database with a card and closes it; a store that isn't gone keeps its lock's file open.
    private func makeDatabase(_ path: String, beforeClosing body: () throws -> Void = {}) async throws {
        let store = try SQLiteCardStore(path: path)
        try await store.give("card-1")
        try body()
        try await store.close()
    }

    /// Mounts the small disk again, for reading only.
    private func forbidWriting(_ folder: String) throws {
        try #require(mount("tmpfs", folder, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
    }

    @Test(
        "What only reads works on a disk that is mounted read-only, and the doctor says that it is",
        .enabled(if: geteuid() == 0, "mounting needs root")
    )
    func readOnlyDisk() async throws {
        try await withFolder { elsewhere in
            try await withSmallDisk { folder in
                let path = folder + "/placard ?#.sqlite"
                try await makeDatabase(path)
                try forbidWriting(folder)

                let findings = await SQLiteCardStore.diagnose(path: path, isFull: true)
                #expect(findings.allSatisfy { $0.level == .good || ["access", "space"].contains($0.subject) })
                let disk = try #require(findings.first { $0.subject == "access" })
                #expect(disk.level == .warning, "\(disk)")
                #expect(disk.message.contains("mounted read-only"))
                var options = SQLiteCardStore.Options(migrate: false)
                options.isReadOnly = true
                let reader = try SQLiteCardStore(path: path, options: options)
                #expect(try await reader.userState(of: someone)?.deliveries.count == 1)
                try await reader.close()
                #expect(try SQLiteCardStore.migrationPlan(path: path).steps.isEmpty)
                try await SQLiteCardStore.backUp(databaseAt: path, to: elsewhere + "/backup.sqlite")
            }
        }
    }

    @Test(
        "A log on a disk that is mounted read-only is named, with what to do",
        .enabled(if: geteuid() == 0, "mounting needs root")
    )
    func logOnReadOnlyDisk() async throws {
        try await withSmallDisk { folder in
            let (path, copy) = (folder + "/placard.sqlite", folder + "/copy.sqlite")
            try await makeDatabase(path) {
                for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
            }
            try forbidWriting(folder)

            let finding = await SQLiteCardStore.diagnose(path: copy, isFull: false).first
            #expect(finding?.level == .bad && finding?.message.contains("\(copy)-wal holds changes") == true)
            await expectFailure(.unavailable) { try SQLiteCardStore.migrationPlan(path: copy) }
        }
    }

    @Test("A page that is damaged later is an error of the reads that need it, and the doctor finds it")
    func damagedPage() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path)
            for number in 0..<200 {
                try await first.give("card-\(number)", to: UserID(rawValue: "user-\(number)"))
            }
            try await first.close()
            let pages = try withDatabase(path) { database in
                try Int.fetchAll(
                    database,
                    sql: "SELECT rootpage FROM sqlite_master WHERE name IN ('users', 'deliveries')"
                )
            }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            for page in pages {
                try file.seek(toOffset: UInt64(page - 1) * 4096)
                try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
            }
            try file.close()

            let store = try SQLiteCardStore(path: path)
            await expectFailure(.corrupt) { try await store.userState(of: UserID(rawValue: "user-1")) }
            await expectFailure(.corrupt) { try await store.give("card-x", to: UserID(rawValue: "user-1")) }
            #expect(await store.finding("integrity")?.level == .bad)
            try await store.close()
        }
    }

    @Test("A store in order has nothing but good findings")
    func goodFindings() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            let findings = await store.diagnose()
            #expect(
                findings.map(\.subject) == [
                    "database", "schema", "objects", "integrity", "references", "store", "counters", "day totals",
                    "log position", "events", "secrets", "contents", "media", "journal", "space", "wal", "log-end",
                    "files", "folders", "access", "leftovers",
                ]
            )
            #expect(findings.allSatisfy { $0.level == .good || $0.subject == "space" })
            try await store.close()
        }
    }

    @Test("While another process holds the database, writes wait, then say so; reads go on")
    func busy() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            var options = SQLiteCardStore.Options()
            options.busyTimeout = .milliseconds(50)
            let store = try SQLiteCardStore(path: path, options: options)
            try await store.give("card-1")
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }

            await expectFailure(.unavailable) { try await store.record([.impression(1)]) }
            #expect(try await store.userRevision(of: someone) != nil)

            try await other.writeWithoutTransaction { try $0.rollback() }
            #expect(try await store.record([.impression(1)]).receipt.accepted == 1)
            try other.close()
            try await store.close()
        }
    }
}
#endif
