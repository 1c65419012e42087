import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

/// A database file as it was at one moment.
struct FileState: Equatable {
    private let names: [String]
    /// What the database's files hold, but for the memory that processes share, which isn't kept.
    private let contents: [String: Data]

    init(_ path: String) throws {
        _ = try Data(contentsOf: URL(fileURLWithPath: path))
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let own = URL(fileURLWithPath: path).lastPathComponent
        let files = names.filter { $0.hasPrefix(own) && !$0.hasSuffix("-shm") }.compactMap { name in
            (try? Data(contentsOf: folder.appending(path: name))).map { (name, $0) }
        }
        contents = Dictionary(uniqueKeysWithValues: files)
    }
}

/// Creates a database as the last program with the migrations before the baseline made it.
func createOldDatabase(_ path: String) throws {
    let schema = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/schema-0061.sql").standardized
    let statements = try String(contentsOf: schema, encoding: .utf8)
    let pool = try DatabasePool(path: path)
    try pool.write { database in
        try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
        try database.execute(sql: statements)
    }
    try pool.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
}

/// Returns the migrations that were done in a database, in order.
func migrations(of path: String) throws -> [String] {
    try withDatabase(path) { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY 1") }
}

@Suite("SQLite: what only reads")
struct ReadOnlyTests {
    private let readOnly: SQLiteCardStore.Options = {
        var options = SQLiteCardStore.Options(migrate: false)
        options.isReadOnly = true
        return options
    }()

    @Test("A database that can't be looked at isn't taken for one that isn't there")
    func unreadable() async throws {
        try await withFolder { folder in
            let exists = try SQLiteCardStore.exists(at: folder + "/placard.sqlite")
            #expect(!exists)
            #expect(FileManager.default.createFile(atPath: folder + "/file", contents: nil))
            let below = folder + "/file/placard.sqlite"
            await expectFailure(.unavailable) { try SQLiteCardStore.exists(at: below) }
            await expectFailure(.unavailable) { try SQLiteCardStore.migrationPlan(path: below) }
            let finding = await SQLiteCardStore.diagnose(path: below, isFull: false).first
            #expect(finding?.level == .bad && finding?.command == nil)
            #expect(finding?.message.contains("no folder") == true)
        }
    }

    @Test("Where the account may not look, its owner's account is named", .enabled(if: geteuid() != 0))
    func forbidden() async throws {
        let finding = await SQLiteCardStore.diagnose(path: "/root/placard.sqlite", isFull: false).first
        #expect(finding?.message.contains("`sudo -u root placard …`") == true)
    }

    @Test("A folder that can't be written is named, with the file that has to be created there")
    func folderObstacle() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            let files = DatabaseFiles(path)
            #expect(files.folderObstacle() == nil)
            let obstacle = files.folderObstacle(isWritable: { $0 != files.folder })
            #expect(obstacle?.code == .unavailable)
            #expect(obstacle?.message.contains("folder \(files.folder), where \(files.log) has to be created") == true)
            #expect(obstacle?.message.contains("`chmod u+rwx \(files.folder)`") == true)
            // A server that runs has all of them, and needs no other.
            for file in [files.log, files.index] {
                #expect(FileManager.default.createFile(atPath: file, contents: nil))
            }
            #expect(files.folderObstacle(isWritable: { _ in false }) == nil)
        }
    }

    @Test("No server starts in a folder that can't be written", .enabled(if: geteuid() != 0, "root writes everywhere"))
    func unwritableFolder() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            #expect(chmod(folder, 0o555) == 0)
            defer { chmod(folder, 0o755) }
            let error = #expect(throws: StoreError.self) { _ = try SQLiteCardStore(path: path) }
            #expect(error?.message.contains("has to be created") == true)
            let findings = await SQLiteCardStore.diagnose(path: path, isFull: false)
            for subject in ["database", "access"] {
                let finding = findings.first { $0.subject == subject }
                #expect(finding?.message.contains("has to be created") == true, "\(subject)")
            }
        }
    }

    @Test("A diagnosis, a backup and a plan leave a database of an older version as it is")
    func olderStays() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try createOldDatabase(path)
            let before = try FileState(path)

            let findings = await SQLiteCardStore.diagnose(path: path, isFull: true)
            let plan = try SQLiteCardStore.migrationPlan(path: path)
            await expectFailure(.incompatible) { try SQLiteCardStore(path: path, options: readOnly) }
            await expectFailure(.incompatible) { try SQLiteCardStore(path: path, options: .init(migrate: false)) }

            #expect(try FileState(path) == before)
            #expect(findings.first { $0.subject == "schema" }?.command == "placard migrate")
            #expect(plan.steps == Schema.migrations.map { $0.identifier })
            // What has to be free for the copy, and no less than a migration then asks for.
            #expect(plan.seconds >= 1 && plan.databaseBytes > 0)
            #expect(plan.neededBytes == plan.databaseBytes + MigrationCopy.margin)
            let uncopied = try SQLiteCardStore.migrationPlan(path: path, isCopied: false)
            #expect(uncopied.copy == nil && uncopied.neededBytes == MigrationCopy.margin)
            try await SQLiteCardStore.backUp(databaseAt: path, to: folder + "/backup.sqlite")
            #expect(try migrations(of: folder + "/backup.sqlite") == Baseline.replaced)
            try FileManager.default.removeItem(atPath: folder + "/backup.sqlite")
            #expect(try FileState(path) == before)
        }
    }

    @Test("A diagnosis leaves an empty file empty, and a missing one missing", arguments: [true, false])
    func emptyStays(isThere: Bool) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            if isThere { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }

            let findings = await SQLiteCardStore.diagnose(path: path, isFull: false)
            await expectFailure(.incompatible) { try SQLiteCardStore(path: path, options: .init(migrate: false)) }
            await expectFailure(.incompatible) { try SQLiteCardStore(path: path, options: readOnly) }
            await expectFailure(.incompatible) {
                try await SQLiteCardStore.backUp(databaseAt: path, to: folder + "/backup.sqlite")
            }

            #expect(findings.first?.level == .bad)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names == (isThere ? ["placard.sqlite"] : []))
            if isThere { #expect(DatabaseFiles.size(of: path) == 0) }
        }
    }

    @Test("A store that only reads reads, refuses writes and leaves the files as they were")
    func readOnlyStore() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.give("card-1")
            try await store.close()
            let before = try FileState(path)

            let reader = try SQLiteCardStore(path: path, options: readOnly)
            #expect(try await reader.userState(of: someone)?.deliveries.count == 1)
            await expectFailure(.unavailable) { try await reader.record([.impression(1)]) }
            try await reader.close()

            #expect(try FileState(path) == before)
        }
    }

    @Test("What a crash left in the log is read, and stays in the log")
    func crashStays() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.give("card-1")
            // As a crash would leave it: the files of a store that nobody closed.
            let copy = folder + "/crashed.sqlite"
            for suffix in ["", "-wal", ".lock"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            try await store.close()
            let log = try Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))

            let reader = try SQLiteCardStore(path: copy, options: readOnly)
            #expect(try await reader.userState(of: someone)?.deliveries.count == 1)
            try await reader.close()
            _ = await SQLiteCardStore.diagnose(path: copy, isFull: true)

            #expect(try Data(contentsOf: URL(fileURLWithPath: copy + "-wal")) == log)
        }
    }

    @Test("Before a migration the database is copied, and the copy opens as the version before")
    func copyBeforeMigration() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try createOldDatabase(path)
            let plan = try SQLiteCardStore.migrationPlan(path: path)

            let migration = try SQLiteCardStore.migrate(path: path)

            let copy = try #require(migration.copy)
            #expect(copy == DatabaseFiles(path).main + ".schema-0061.backup")
            #expect(plan.copy == copy && plan.steps == migration.steps)
            #expect(try migrations(of: copy) == Baseline.replaced)
            #expect(try SQLiteCardStore.migrationPlan(path: path).steps.isEmpty)
            // There and back, and once more: no copy takes the place of another.
            _ = try await SQLiteCardStore.restore(copy, to: path, at: noon)
            #expect(try SQLiteCardStore.migrate(path: path).copy == DatabaseFiles(path).main + ".schema-0061-2.backup")
        }
    }

    @Test("A new database is created without a copy, and none is made where none is wanted")
    func noCopy() async throws {
        try await withFolder { folder in
            #expect(try SQLiteCardStore.migrate(path: folder + "/new.sqlite").copy == nil)
            let path = folder + "/placard.sqlite"
            try createOldDatabase(path)
            #expect(try SQLiteCardStore.migrate(path: path, isCopied: false).copy == nil)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!names.contains { $0.hasSuffix(".backup") })
        }
    }
}
