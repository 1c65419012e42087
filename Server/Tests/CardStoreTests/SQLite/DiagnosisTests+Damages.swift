import Foundation
import GRDB

@testable import SQLiteCardStore

// What the tests do to a database.
extension DiagnosisTests {
    static let restore = "placard restore FILE"
    private static let otherFile = "placard doctor --database sqlite:FILE"

    /// Leaves a database that a program outside the log was writing when it was killed.
    private static func leaveJournal(_ path: String) throws {
        let (copy, journal) = (path + ".copy", "-journal")
        try withDatabase(path) { database in
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            try database.execute(sql: "PRAGMA cache_size = 5")
            try database.inTransaction {
                for number in 0..<500 {
                    let sql = "INSERT INTO erased_users VALUES (randomblob(2000) || ?, 0)"
                    try database.execute(sql: sql, arguments: [number])
                }
                for suffix in ["", journal] {
                    try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
                }
                return .rollback
            }
        }
        for suffix in ["", journal] {
            unlink(path + suffix)
            try FileManager.default.moveItem(atPath: copy + suffix, toPath: path + suffix)
            chmod(path + suffix, 0o600)
        }
    }
    private static let removal = "placard repair --remove-unreadable"
    private static let event = "INSERT INTO events (user_id, id, type, at, received_at, details) VALUES"

    /// What breaks one user's feed, or one event.
    static let brokenRows: [Damage] = [
        .sql("attributes that are no JSON", "rows", removal, "UPDATE users SET custom = '{x' WHERE id = 'user-7'"),
        .sql("attributes that are no object", "rows", removal, "UPDATE users SET custom = '7' WHERE id = 'user-8'"),
        .sql(
            "a history that can't be read",
            "rows",
            removal,
            "INSERT INTO histories VALUES ('user-1', 1, 'bought', '', 1, 0, 0, '0', x'ff')"
        ),
        .sql(
            "a frozen card that is cut short",
            "rows",
            removal,
            "UPDATE deliveries SET rendered = ',\"type\":\"cl' WHERE user_id = 'user-9'"
        ),
        .sql(
            "properties of a card that are no object",
            "rows",
            removal,
            "UPDATE deliveries SET properties = '[]' WHERE user_id = 'user-10'"
        ),
        .sql(
            "a test card that is empty",
            "rows",
            removal,
            """
            INSERT INTO test_cards (user_id, card_id, campaign_id, variant_id, members, pinned, priority, sent_at,
                expires_at, changed_at) VALUES ('user-1', 't', 'sale', 'a', x'', 0, 0, 0, 0, 0)
            """
        ),
        .sql(
            "properties of a trigger that are no JSON",
            "rows",
            removal,
            """
            INSERT INTO triggers (user_id, campaign_id, trigger_id, at, due_at, due_locally, until, properties)
            VALUES ('user-1', 'sale', 't', 0, 0, 0, 0, '{x')
            """
        ),
        .sql("details of an event", "rows", removal, "\(event) ('user-1', zeroblob(16), 'custom', 0, 0, '{x')"),
        .sql("an event's id", "rows", removal, "\(event) ('user-2', x'00', 'custom', 0, 0, NULL)"),
        .sql(
            "an event of a type that there isn't",
            "rows",
            removal,
            "\(event) ('user-3', zeroblob(16), 'zzz', 0, 0, NULL)"
        ),
        .sql("an event of nobody", "rows", removal, "\(event) ('', zeroblob(16), 'custom', 0, 0, NULL)"),
        .sql(
            "an event's time that is no number",
            "rows",
            removal,
            "\(event) ('user-4', zeroblob(16), 'custom', 'x', 0, NULL)"
        ),
        .sql("a user's rank in samples", "rows", removal, "UPDATE users SET sample_rank = 5 WHERE id = 'user-11'"),
        .sql("a user's version", "rows", removal, "UPDATE users SET version = -3 WHERE id = 'user-12'"),
    ]

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
            CREATE TEMP TABLE saved AS SELECT * FROM sqlite_schema WHERE name = 'users_found_by_phone';
            DELETE FROM sqlite_schema WHERE name = 'users_found_by_phone';
            PRAGMA writable_schema = RESET;
            UPDATE users SET standard = '{"phone":"1"}' WHERE id = 'user-1';
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema SELECT * FROM saved;
            """
        ),
        .sql("a wrong count of users", "counters", "placard repair", "UPDATE store SET user_count = 7"),
        .sql(
            "totals of a day that aren't its sums",
            "day totals",
            "placard repair",
            "UPDATE day_totals SET clicks = clicks + 1"
        ),
        .sql("no totals of a day", "day totals", "placard repair", "DELETE FROM day_totals"),
        .sql(
            "positions that would be given out twice",
            "log position",
            "placard repair",
            "\(event) ('user-1', zeroblob(16), 'custom', 0, 0, NULL); DELETE FROM sqlite_sequence"
        ),
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
        .sql("a newer version", "database", "placard --version", "INSERT INTO grdb_migrations VALUES ('9999-future')"),
        .sql("another program's database", "database", otherFile, "PRAGMA application_id = 1"),
        Damage("a folder in the place of the file", "database", otherFile) { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        },
        Damage("a journal that has to be played back", "database", "placard migrate", leaveJournal),
        .sql("a table with an index that is gone", "objects", restore, "DROP TABLE mails"),
        Damage("a copy that others can read", "files", "chmod 600 PATH.schema-0061.backup") { path in
            try FileManager.default.copyItem(atPath: path, toPath: path + ".schema-0061.backup")
            chmod(path + ".schema-0061.backup", 0o644)
        },
        Damage("a database before that others can read", "files", "chmod 600 PATH.before-restore-20270131T030405Z") {
            try FileManager.default.copyItem(atPath: $0, toPath: $0 + ".before-restore-20270131T030405Z")
            chmod($0 + ".before-restore-20270131T030405Z", 0o640)
        },
        Damage("a folder that everybody can write to", "folders", "chmod go-w FOLDER") { path in
            chmod(DatabaseFiles(path).folder, 0o777)
        },
        .bytes("no database", "database") { $0 = Data(repeating: 0x41, count: 8_192) },
        .bytes("the second half missing", "database") { $0 = $0.prefix($0.count / 8192 * 4096) },
        .bytes("a damaged page", "integrity") { data in
            // A page of the rows of users, which none reads before they are asked for.
            let start = (data.range(of: Data("user-150".utf8))?.lowerBound ?? 0) / 4096 * 4096
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
}
