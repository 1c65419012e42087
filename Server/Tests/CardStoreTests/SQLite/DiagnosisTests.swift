import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: diagnosis")
struct DiagnosisTests {
    /// A kind of damage, what finds it and what helps.
    struct Damage: Sendable, CustomTestStringConvertible {
        let name: String
        let subject: String
        let command: String
        let inflict: @Sendable (String) throws -> Void

        init(
            _ name: String,
            _ subject: String,
            _ command: String,
            _ inflict: @escaping @Sendable (String) throws -> Void
        ) {
            (self.name, self.subject, self.command, self.inflict) = (name, subject, command, inflict)
        }

        var testDescription: String { name }

        static func sql(_ name: String, _ subject: String, _ command: String, _ sql: String) -> Damage {
            Damage(name, subject, command) { path in try withDatabase(path) { try $0.execute(sql: sql) } }
        }

        static func bytes(
            _ name: String,
            _ subject: String,
            _ change: @escaping @Sendable (inout Data) -> Void
        ) -> Damage {
            Damage(name, subject, "placard restore FILE") { path in
                var data = try Data(contentsOf: URL(fileURLWithPath: path))
                change(&data)
                try data.write(to: URL(fileURLWithPath: path))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
        }
    }

    private static let restore = "placard restore FILE"

    static let damages: [Damage] = [
        .sql("a dropped index", "objects", "placard repair", "DROP INDEX users_by_email"),
        .sql("a dropped trigger", "objects", "placard repair", "DROP TRIGGER counts_added"),
        .sql(
            "another trigger of a name",
            "objects",
            "placard repair",
            """
            DROP TRIGGER counts_changed;
            CREATE TRIGGER counts_changed AFTER UPDATE ON counts BEGIN SELECT 1; END
            """
        ),
        .sql(
            "another index of a name",
            "objects",
            "placard repair",
            "DROP INDEX campaigns_by_change; CREATE INDEX campaigns_by_change ON campaigns (id)"
        ),
        .sql(
            "a trigger that takes events away",
            "objects",
            "placard repair",
            "CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM events; END"
        ),
        .sql("a dropped table", "objects", restore, "DROP TABLE spending"),
        .sql(
            "an index out of step",
            "integrity",
            "placard repair",
            """
            PRAGMA writable_schema = ON;
            CREATE TEMP TABLE saved AS SELECT * FROM sqlite_schema WHERE name = 'users_by_phone';
            DELETE FROM sqlite_schema WHERE name = 'users_by_phone';
            PRAGMA writable_schema = RESET;
            UPDATE users SET standard = '{"phone":"1"}' WHERE id = 'user-1';
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema SELECT * FROM saved;
            """
        ),
        .sql("a wrong count of users", "counters", "placard repair", "UPDATE store SET user_count = 7"),
        .sql(
            "a campaign that can't be read",
            "contents",
            restore,
            """
            INSERT INTO campaigns (id, content, status, withdrawn, version, generation, created_at, updated_at)
            VALUES ('sale', '{"name":7}', 'draft', 0, 1, 0, 0, 0)
            """
        ),
        .sql(
            "a segment that can't be read",
            "contents",
            restore,
            """
            INSERT INTO segments (id, content, archived, version, created_at, updated_at)
            VALUES ('s', '{"audience":{"all":7}}', 0, 1, 0, 0)
            """
        ),
        .sql("settings that can't be read", "contents", restore, "UPDATE store SET settings = '{not json'"),
        .sql("no row of its own", "store", restore, "DELETE FROM store"),
        .sql(
            "cards of no user",
            "references",
            restore,
            "PRAGMA foreign_keys = OFF; DELETE FROM users WHERE id = 'user-1'"
        ),
        .sql(
            "missing migrations",
            "schema",
            "placard migrate",
            "UPDATE grdb_migrations SET identifier = '0061-counted-purchases' WHERE identifier = '0061-baseline'"
        ),
        .sql("a newer version", "database", restore, "INSERT INTO grdb_migrations VALUES ('9999-future')"),
        .sql("another program's database", "database", restore, "PRAGMA application_id = 1"),
        .bytes("no database", "database") { $0 = Data(repeating: 0x41, count: 8_192) },
        .bytes("the second half missing", "database") { $0 = $0.prefix($0.count / 8192 * 4096) },
        .bytes("a damaged page", "integrity") { data in
            let start = data.count / 4096 / 2 * 4096
            data.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xA5, count: 4096))
        },
        Damage("an empty file", "database", "placard migrate") { path in
            try Data().write(to: URL(fileURLWithPath: path))
        },
        Damage("a file of keys that holds none", "secrets", "placard secrets reset --confirm") { path in
            try Data("xx\n".utf8).write(to: URL(fileURLWithPath: path + ".key"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + ".key")
        },
        Damage("no file", "database", restore) { path in try FileManager.default.removeItem(atPath: path) },
        Damage("files that others can read", "files", "chmod 600 PATH") { path in
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        },
    ]

    @Test("Each kind of damage is found, with a command to run, and nothing is changed", arguments: damages)
    func finds(_ damage: Damage) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 1..<300 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
            try await store.close()
            #expect(await SQLiteCardStore.diagnose(path: path, isFull: true).allSatisfy { $0.isGood })
            try damage.inflict(path)
            let before = try? FileState(path)

            let findings = await SQLiteCardStore.diagnose(path: path, isFull: true)

            let bad = findings.filter { !$0.isGood }
            let finding = try #require(bad.first { $0.subject == damage.subject }, "\(findings)")
            #expect(finding.level == .bad)
            for message in bad.map(\.message) {
                #expect(!message.contains("..") && message.components(separatedBy: "Stop").count <= 2)
            }
            #expect(finding.command == damage.command.replacing("PATH", with: DatabaseFiles(path).main))
            #expect((try? FileState(path)) == before)
        }
    }

    @Test("An unfinished copy is finished by the command that began it, and no backup takes its place")
    func unfinishedCopy() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            try withDatabase(path) { try $0.execute(sql: "CREATE TABLE \(UnfinishedCopy.table) (id)") }

            let finding = await SQLiteCardStore.diagnose(path: path, isFull: false).first

            #expect(finding?.level == .bad && finding?.command == "placard copy --from … --to …")
        }
    }

    @Test("A database that another process holds, or that can't be opened, is no reason to restore a backup")
    func unavailable() {
        for code in [SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_IOERR] {
            let failure = SQLiteFailure(code: code, message: "")
            #expect(SQLiteCardStore.Finding.unusable(failure).command == nil)
            #expect(SQLiteCardStore.Finding.unreadable(failure).command == nil)
        }
        let damage = SQLiteFailure(code: SQLITE_CORRUPT, message: "")
        #expect(SQLiteCardStore.Finding.unusable(damage).command == Self.restore)
        #expect(SQLiteCardStore.Finding.unreadable(damage).command == Self.restore)
    }

    @Test("A database is in use while a process has it open for writing")
    func inUse() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            #expect(!SQLiteCardStore.isInUse(path: path))
            let store = try SQLiteCardStore(path: path)
            #expect(SQLiteCardStore.isInUse(path: path))
            try await store.close()
            #expect(!SQLiteCardStore.isInUse(path: path))
        }
    }

    @Test("Indexes and counters are repaired")
    func repairs() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.give("card-1")
            try await store.close()
            for damage in Self.damages where damage.command == "placard repair" { try damage.inflict(path) }

            let repair = try await SQLiteCardStore.repair(path: path)

            #expect(repair.created == ["index users_by_email", "trigger counts_added"])
            #expect(repair.replaced == ["index campaigns_by_change", "trigger counts_changed"])
            #expect(repair.removed == ["trigger evil"])
            #expect(repair.userCountError == -6)
            #expect(await SQLiteCardStore.diagnose(path: path, isFull: true).allSatisfy { $0.isGood })
        }
    }

    @Test("What can't be repaired is left as it is")
    func doesNotRepairTables() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            try withDatabase(path) { try $0.execute(sql: "DROP TABLE spending") }
            let before = try FileState(path)
            await expectFailure(.corrupt) { try await SQLiteCardStore.repair(path: path) }
            #expect(try FileState(path) == before)
        }
    }

    @Test("A log whose second half is missing is found")
    func cutLog() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 1..<30 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
            let copy = folder + "/copy.sqlite"
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            try await store.close()
            try log.write(to: URL(fileURLWithPath: copy + "-wal"))
            #expect(await finding("log-end", copy)?.level == .good)
            try log.prefix(log.count / 2 + 100).write(to: URL(fileURLWithPath: copy + "-wal"))
            let cut = await finding("log-end", copy)
            #expect(cut?.level == .warning && cut?.command == "placard audit verify")
        }
    }

    private func finding(_ subject: String, _ path: String) async -> SQLiteCardStore.Finding? {
        await SQLiteCardStore.diagnose(path: path, isFull: false).first { $0.subject == subject }
    }
}

extension SQLiteCardStore.Finding {
    /// Whether it is good; how much space the machine has is its own affair.
    fileprivate var isGood: Bool { level == .good || subject == "space" }
}
