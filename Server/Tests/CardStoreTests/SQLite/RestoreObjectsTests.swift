import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: restoring a changed backup")
struct RestoreObjectsTests {
    /// Leaves a database of two users and a backup from when it had one, and returns the backup's path.
    private func backUp(_ path: String, _ folder: String) async throws -> String {
        let store = try SQLiteCardStore(path: path)
        try await store.give("card-1")
        let backup = folder + "/backup.sqlite"
        try await store.backUp(to: backup)
        try await store.give("card-2", to: UserID(rawValue: "another"))
        try await store.close()
        return backup
    }

    @Test(
        "A backup whose tables and triggers aren't those of its version is refused, and the database stays",
        arguments: [
            ("CREATE TRIGGER members_log AFTER INSERT ON members BEGIN DELETE FROM keys; END", "trigger members_log"),
            (
                """
                CREATE TRIGGER members_log AFTER INSERT ON members BEGIN DELETE FROM keys; END;
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET type = 'Trigger' WHERE name = 'members_log'
                """, "trigger members_log"
            ),
            (
                """
                PRAGMA writable_schema = ON;
                INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_log', 'members', 0,
                    'CREATE TRIGGER sqlite_log AFTER INSERT ON members BEGIN DELETE FROM keys; END')
                """, "trigger sqlite_log"
            ),
            ("CREATE VIEW everyone AS SELECT 1", "view everyone"),
            ("DROP TABLE saved_filters", "table saved_filters"),
            ("ALTER TABLE campaigns RENAME COLUMN updated_at TO changed_at", "column campaigns.updated_at"),
        ]
    )
    func refusesForeignObjects(_ sql: String, _ title: String) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await backUp(path, folder)
            let before = try FileState(path)
            try withDatabase(backup) { try $0.execute(sql: sql) }

            let error = await #expect(throws: StoreError.self) {
                try await SQLiteCardStore.restore(backup, to: path, at: noon)
            }

            #expect(error?.code == .corrupt)
            #expect(error?.message.contains(title) == true && error?.message.contains("Nothing was changed") == true)
            #expect(try FileState(path) == before)
        }
    }

    @Test("What a repair takes from a backup doesn't keep it from being restored, and an operator's index neither")
    func restoresRepaired() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await backUp(path, folder)
            try withDatabase(backup) { database in
                try database.execute(
                    sql: """
                        CREATE VIEW everyone AS SELECT 1;
                        CREATE INDEX ours ON users (last_seen_at);
                        """
                )
            }
            let repair = try await SQLiteCardStore.repair(path: backup)
            #expect(repair.removed == ["view everyone"] && repair.created == [])
            let restored = try await SQLiteCardStore.restore(backup, to: path, at: noon)
            #expect(restored.contents.counts.first { $0.name == "users" }?.count == 1)
        }
    }
}
