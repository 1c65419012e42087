import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: migrations")
struct MigrationTests {
    @Test("A database of every older version comes up to date and works", arguments: 0..<Schema.migrations.count)
    func fromEveryVersion(_ done: Int) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            if done > 0 {
                try withDatabase(path) { try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
                let pool = try DatabasePool(path: path)
                try Schema.migrator.migrate(pool, upTo: Schema.migrations[done - 1].identifier)
                try pool.close()
            }

            let migration = try SQLiteCardStore.migrate(path: path)

            #expect(migration.steps == Schema.migrations.dropFirst(done).map { $0.identifier })
            #expect(try SQLiteCardStore.migrate(path: path).steps.isEmpty)
            let store = try SQLiteCardStore(path: path, options: .init(migrate: false))
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([.impression(1)])
            #expect(try await store.counts().impressions == 1)
            try await store.close()
        }
    }

    @Test("A database with later steps that lacks one between them gets it")
    func between() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try withDatabase(path) { try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
            var migrator = DatabaseMigrator()
            for migration in Schema.migrations where migration.identifier != Migration0091.identifier {
                migrator.registerMigration(migration.identifier) { try migration.apply(to: $0) }
            }
            let pool = try DatabasePool(path: path)
            try migrator.migrate(pool)
            try pool.close()

            #expect(try SQLiteCardStore.migrate(path: path).steps == [Migration0091.identifier])
            #expect(try SQLiteCardStore.migrate(path: path).steps.isEmpty)
            let store = try SQLiteCardStore(path: path, options: .init(migrate: false))
            #expect(try await store.savedFilters(of: "anna@example.com").isEmpty)
            try await store.close()
        }
    }

    @Test("Pictures of before are there, and are found by their names without accents")
    func pictures() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try withDatabase(path) { try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
            let pool = try DatabasePool(path: path)
            try Schema.migrator.migrate(pool, upTo: Migration0103.identifier)
            let id = String(repeating: "a", count: 32)
            try await pool.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO media
                            (id, name, alt, format, width, height, frames, widths, bytes, created_at, created_by)
                        VALUES (?, 'Été.png', 'Deux chaises', 'png', 9, 9, 1, '9', 3, 1, 'anna@example.com')
                        """,
                    arguments: [id]
                )
            }
            try pool.close()
            _ = try SQLiteCardStore.migrate(path: path)
            let store = try SQLiteCardStore(path: path, options: .init(migrate: false))
            #expect(try await store.mediaItems(offset: 0, limit: 9).map(\.id) == [id])
            let filter = MediaFilter(text: "ete CHAISES")
            #expect(try await store.searchMedia(matching: filter, offset: 0, limit: 9).map(\.id) == [id])
            try await store.close()
        }
    }

    @Test("The baseline makes the schema that the migrations before it made")
    func baseline() async throws {
        try await withFolder { folder in
            let (old, new) = (folder + "/old.sqlite", folder + "/new.sqlite")
            try createOldDatabase(old)
            let queue = try DatabaseQueue(path: new)
            try Schema.migrator.migrate(queue, upTo: Baseline.identifier)
            try queue.close()
            func definitions(_ path: String) throws -> [String] {
                let sql = """
                    SELECT type || name || sql FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name <> 'grdb_migrations'
                    """
                let texts = try withDatabase(path) { try String.fetchAll($0, sql: sql) }
                return texts.map { $0.filter { !$0.isWhitespace && $0 != "\"" } }.sorted()
            }
            #expect(try definitions(old) == definitions(new))
            #expect(try definitions(new).count > 60)
            for table in ["store", "audit_chain"] {
                let sql = "SELECT count(*) FROM \(table)"
                #expect(try withDatabase(old) { try Int.fetchOne($0, sql: sql) } == 1)
                #expect(try withDatabase(new) { try Int.fetchOne($0, sql: sql) } == 1)
            }
        }
    }

    @Test("A database of the migrations before the baseline goes on with what it has", arguments: [false, true])
    func beforeBaseline(isFurther: Bool) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try createOldDatabase(path)
            // A program with those migrations may have done later ones, too.
            let later = isFurther ? Array(Schema.migrations.dropFirst().prefix(1)) : []
            try withDatabase(path) { database in
                for migration in later {
                    try migration.apply(to: database)
                    let name = migration.identifier
                    try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
                }
            }
            try withDatabase(path) { database in
                try database.execute(
                    sql: """
                        INSERT INTO users (id, version, device, created_at, custom)
                            VALUES ('user-1', 7, 0, 1, '{"plan":"gold"}');
                        INSERT INTO deliveries
                            (user_id, card_id, campaign_id, ordinal, variant_id, delivered_at, position, \
                            changed_at, viewed)
                            VALUES ('user-1', 'card-1', 'sale', 0, 'a', 2, 4096, 7, 1);
                        """
                )
            }

            let names = Schema.migrations.map { $0.identifier }
            let done = later.map { $0.identifier }
            #expect(try SQLiteCardStore.migrate(path: path).steps == names.filter { !done.contains($0) })

            let store = try SQLiteCardStore(path: path, options: .init(migrate: false))
            let state = try #require(try await store.userState(of: someone))
            #expect(state.version == 7)
            #expect(state.profile.custom == ["plan": "gold"])
            #expect(state.deliveries.map(\.isViewed) == [true])
            try await store.launch(.sample())
            try await store.give("card-2")
            #expect(await store.finding("schema")?.level == .good)
            try await store.close()
            #expect(try migrations(of: path) == names)
        }
    }

    @Test(
        "A database that stopped before the last of those migrations is refused and left as it is",
        arguments: [
            "ALTER TABLE spending DROP COLUMN counted", "DROP INDEX media_by_time", "CREATE TABLE more (id TEXT)",
        ]
    )
    func refusesUnfinished(_ difference: String) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try createOldDatabase(path)
            try withDatabase(path) { database in
                try database.execute(sql: difference)
                try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier > '0060'")
                _ = try database.checkpoint(.truncate)
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: path))

            let error = #expect(throws: StoreError.self) { try SQLiteCardStore.migrate(path: path) }
            #expect(error?.code == .incompatible)
            #expect(error?.message.contains("at migration 0056-merged-users") == true)
            await expectFailure(.incompatible) { try SQLiteCardStore.migrationPlan(path: path) }

            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test("The steps' names start with their numbers, which only grow")
    func names() {
        let numbers = Schema.migrations.map { $0.identifier.prefix { $0 != "-" } }
        #expect(numbers.allSatisfy { $0.count == 4 && Int($0) != nil })
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("A database of an older version is refused where it is not to be migrated")
    func refusesOlder() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            await expectFailure(.incompatible) { try SQLiteCardStore(path: path, options: .init(migrate: false)) }
        }
    }

    @Test("A database of a newer version is refused and left as it is")
    func refusesNewer() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            try withDatabase(path) { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9999-future')") }

            await expectFailure(.incompatible) { try SQLiteCardStore(path: path) }
            await expectFailure(.incompatible) { try SQLiteCardStore.migrate(path: path) }
        }
    }

    @Test("A database of another program is refused and left as it is")
    func refusesForeign() async throws {
        try await withFolder { folder in
            let path = folder + "/other.sqlite"
            try withDatabase(path) { try $0.execute(sql: "CREATE TABLE notes (text)") }
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)

            await expectFailure(.incompatible) { try SQLiteCardStore(path: path) }

            #expect(try mode(path) == 0o644)
            let tables = try withDatabase(path) { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
            #expect(tables == ["notes"])
        }
    }

    @Test("A database of another program that was killed while it wrote is refused, and isn't given a log")
    func refusesForeignJournal() async throws {
        try await withFolder { folder in
            let (running, path) = (folder + "/running.sqlite", folder + "/other.sqlite")
            try withDatabase(running) { database in
                try database.execute(sql: "CREATE TABLE notes (text); PRAGMA cache_size = 5")
                try database.inTransaction {
                    for _ in 0..<500 { try database.execute(sql: "INSERT INTO notes VALUES (randomblob(2000))") }
                    for suffix in ["", "-journal"] {
                        try FileManager.default.copyItem(atPath: running + suffix, toPath: path + suffix)
                    }
                    return .rollback
                }
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)

            await expectFailure(.incompatible) { try SQLiteCardStore(path: path, options: .init(migrate: false)) }
            await expectFailure(.incompatible) { try SQLiteCardStore(path: path) }

            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(names == ["other.sqlite", "running.sqlite"])
            #expect(try mode(path) == 0o644)
            let journal = try withDatabase(path) { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
            #expect(journal == "delete")
            let count = try withDatabase(path) { try Int.fetchOne($0, sql: "SELECT count(*) FROM notes") }
            #expect(count == 0)
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("A file that is no database, and one that is damaged, are said to be so")
    func refusesDamaged() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))

            await expectFailure(.corrupt) { try SQLiteCardStore(path: path) }
        }
    }

    @Test("A folder that is not there is said to be so")
    func missingFolder() async throws {
        try await withFolder { folder in
            await expectFailure(.unavailable) { try SQLiteCardStore(path: folder + "/none/placard.sqlite") }
        }
    }
}
