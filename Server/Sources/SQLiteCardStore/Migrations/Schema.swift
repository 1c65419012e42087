import CardStore
import GRDB

/// One step from one schema to the next.
///
/// Once released it never changes; what is to be different comes in a new one.
protocol StoreMigration: SendableMetatype {
    /// The name under which the database remembers that the step was done; begins with its number.
    static var identifier: String { get }
    /// Whether the step reads or rewrites what grows with users and events, so that it takes time; `false` by default.
    static var rewritesUsers: Bool { get }
    /// Does the step, inside a transaction.
    static func apply(to database: Database) throws
}

extension StoreMigration {
    static var rewritesUsers: Bool { false }
}

/// What the database looks like, and how one of an older version gets there.
enum Schema {
    static let migrations: [any StoreMigration.Type] = [
        Migration0001.self, Migration0002.self, Migration0003.self, Migration0004.self, Migration0005.self,
        Migration0006.self, Migration0007.self, Migration0008.self, Migration0009.self, Migration0010.self,
        Migration0011.self, Migration0014.self, Migration0016.self, Migration0018.self, Migration0019.self,
        Migration0020.self, Migration0021.self, Migration0024.self, Migration0025.self, Migration0032.self,
        Migration0037.self, Migration0038.self, Migration0039.self, Migration0041.self, Migration0042.self,
        Migration0043.self, Migration0046.self, Migration0047.self, Migration0052.self, Migration0053.self,
        Migration0054.self, Migration0056.self, Migration0060.self, Migration0061.self, Migration0062.self,
    ]

    /// Marks the file as ours: `PLCD`.
    static let applicationID: Int64 = 0x504C_4344

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.identifier) { database in try migration.apply(to: database) }
        }
        return migrator
    }

    /// Brings the database to the present schema and returns the steps that were done.
    static func migrate(_ pool: DatabasePool) throws -> [String] {
        let before = try pool.writeWithoutTransaction { database in
            try checkOwnership(of: database)
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            return try Set(migrator.completedMigrations(database))
        }
        do {
            try migrator.migrate(pool)
        } catch {
            // Two processes may open a new database at once: then the other one has done it.
            guard try pool.read(migrator.hasCompletedMigrations) else { throw error }
        }
        return migrations.map { $0.identifier }.filter { !before.contains($0) }
    }

    /// Throws where the database is somebody else's, or of a version to come.
    static func checkOwnership(of database: Database) throws {
        let id = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard id == applicationID || (id == 0 && tables == 0) else {
            throw StoreError(.incompatible, "The file is a database of another program. Choose another path.")
        }
        if try database.tableExists(UnfinishedCopy.table) { throw UnfinishedCopy.refusal }
        if try migrator.hasBeenSuperseded(database) {
            throw StoreError(
                .incompatible,
                "The database was written by a newer version. Update this program, or go back to an older backup."
            )
        }
    }
}
