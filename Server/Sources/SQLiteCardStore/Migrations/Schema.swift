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
    /// Steps of earlier versions that this one stands for: a database in which all of them were done has what it makes.
    /// None by default.
    static var replaced: [String] { get }
    /// Does the step, inside a transaction.
    static func apply(to database: Database) throws
}

extension StoreMigration {
    static var rewritesUsers: Bool { false }
    static var replaced: [String] { [] }
}

/// The schema of the database, and the way from one of an older version.
enum Schema {
    static let migrations: [any StoreMigration.Type] = [
        Baseline.self, Migration0062.self, Migration0064.self, Migration0065.self, Migration0067.self,
        Migration0068.self, Migration0090.self, Migration0091.self, Migration0092.self,
        Migration0097.self, Migration0099.self, Migration0100.self, Migration0103.self,
        Migration0112.self, Migration0113.self, Migration0114.self, Migration0118.self,
        Migration0174.self,
    ]

    /// Marks the file as ours: `PLCD`.
    static let applicationID: Int64 = 0x504C_4344

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.identifier, merging: Set(migration.replaced)) { database, replaced in
                // Where steps were done that this one stands for, ``checkOwnership(of:)`` has compared the schema.
                if replaced.isEmpty { try migration.apply(to: database) }
            }
        }
        return migrator
    }

    /// Brings the database to the present schema and returns the steps that were done.
    static func migrate(_ pool: DatabasePool) throws -> [String] {
        let before = try pool.writeWithoutTransaction { database in
            try checkOwnership(of: database)
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            return try migrator.appliedIdentifiers(database)
        }
        do {
            try migrator.migrate(pool)
        } catch {
            // Two processes may open a new database at once: then the other one has done it.
            guard try pool.read(migrator.hasCompletedMigrations) else { throw error }
        }
        return migrations.map { $0.identifier }.filter { !before.contains($0) }
    }

    /// Throws where the database is another program's, or of a version to come.
    static func checkOwnership(of database: Database) throws {
        let id = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard id == applicationID || (id == 0 && tables == 0) else {
            throw StoreError(.incompatible, "The file is a database of another program. Choose another path.")
        }
        if try database.tableExists(UnfinishedCopy.table) { throw UnfinishedCopy.refusal }
        let known = Set(migrations.flatMap { [$0.identifier] + $0.replaced })
        guard try migrator.appliedIdentifiers(database).isSubset(of: known) else {
            throw StoreError.newerVersion
        }
        try checkReplaced(in: database)
    }

    /// Returns which steps of earlier versions were done that one of the present ones stands for, in order.
    static func replacedSteps(in database: Database) throws -> [String] {
        let done = try migrator.appliedIdentifiers(database)
        return migrations.flatMap { $0.replaced }.filter(done.contains)
    }

    /// Returns the steps that were done in a database, or for which the steps stand that were done.
    static func stepsDone(in database: Database) throws -> [any StoreMigration.Type] {
        let done = try migrator.appliedIdentifiers(database)
        return migrations.filter { done.contains($0.identifier) || !done.isDisjoint(with: $0.replaced) }
    }

    /// Throws where steps were done that a present one stands for, and what they made isn't what that one makes.
    private static func checkReplaced(in database: Database) throws {
        guard let last = try replacedSteps(in: database).last else { return }
        guard try !SchemaObjects.areThose(of: stepsDone(in: database), in: database) else { return }
        throw StoreError(
            .incompatible,
            """
            The database is of a version before the first release, at migration \(last), \
            and can't be brought up to date. \
            Start with a new database, or bring it to 0061-counted-purchases with the version that has that migration.
            """
        )
    }
}
