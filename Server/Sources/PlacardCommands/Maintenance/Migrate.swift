import ArgumentParser
import CardModel
import CommandSettings
import PostgresCardStore
import SQLiteCardStore
import ShardedCardStore
import WireJSON

/// The command `placard migrate`.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Creates the database, or brings it up to date.",
        discussion: """
            placard migrate --dry-run --database sqlite:cards.sqlite
            placard migrate --database sqlite:cards.sqlite

            The server does the same when it starts; this is for those who want it done before. No other command \
            migrates. A database that is migrated is copied before, to a file beside it; to go back, restore that \
            copy with `placard restore` and start the version before.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Changes nothing, and says what would be done, how long it takes and how much space.")
    var dryRun = false

    @Flag(help: "Makes no copy before. Have a backup in another place.")
    var noCopy = false

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let location = try database.location()
        if case .postgres(let url) = location {
            if dryRun {
                let key = try database.secretsKey() ?? DatabaseLocation.postgresKey
                return describe(try await ShardedCardStore.migrationPlan(url: url, secretsKey: key))
            }
            return try await migrateServer(location)
        }
        let path = try location.path
        if dryRun {
            let plan = try SQLiteCardStore.migrationPlan(path: path, isCopied: !noCopy)
            return try describe(plan, isInUse: await location.isInUse())
        }
        let migration = try SQLiteCardStore.migrate(
            path: path,
            secretsKey: try database.secretsKey(),
            isCopied: !noCopy
        )
        if json {
            return Console.write([
                "applied": .array(migration.steps.map(JSONValue.string)),
                "copy": migration.copy.map(JSONValue.string) ?? .null,
            ])
        }
        if migration.steps.isEmpty { return Console.write("The database is up to date.") }
        for step in migration.steps { Console.write("Applied \(step).") }
        if let copy = migration.copy {
            Console.note("The database before is in \(copy). To go back: placard restore \(copy)")
        }
    }

    /// Brings a PostgreSQL database up to date, of which others make copies.
    private func migrateServer(_ location: DatabaseLocation) async throws {
        // A key that is made here, where no node may ever run, would lock the nodes out.
        let (store, steps) = try await location.migrateServer(
            secretsKey: try database.secretsKey(),
            needsSecrets: try database.givenSecretsKey() != nil,
            onPartitionFailure: { Console.note("Partitions of the log couldn't be created or dropped. \($0.message)") },
            onMigrationWait: { Console.note($0) }
        )
        try await store.close()
        if json {
            return Console.write(["applied": .array(steps.map(JSONValue.string)), "copy": .null])
        }
        if steps.isEmpty { return Console.write("The database is up to date.") }
        for step in steps { Console.write("Applied \(step).") }
    }

    private func describe(_ plan: PostgresCardStore.MigrationPlan) {
        if json {
            return Console.write([
                "dry_run": .bool(true), "pending": .array(plan.steps.map(JSONValue.string)), "copy": .null,
                "database_bytes": .integer(plan.databaseBytes),
            ])
        }
        if plan.steps.isEmpty { return Console.write("The database is up to date.") }
        for step in plan.steps { Console.write("Would apply \(step).") }
        Console.write(
            "The database has \(Quantity.text(plan.databaseBytes, "byte")). No copy is made: make a backup with "
                + "pg_dump before. How much space is free, only the server's machine can tell."
        )
    }

    /// Says what a migration would do.
    ///
    /// - Throws: `CommandError` where there is no room for it, also where the plan is written as JSON.
    func describe(_ plan: SQLiteCardStore.MigrationPlan, isInUse: Bool) throws {
        if json { Console.write(json(of: plan, isInUse: isInUse)) } else { write(plan, isInUse: isInUse) }
        if !plan.hasRoom { throw CommandError("There is not enough space. Make room before you migrate.") }
    }

    private func write(_ plan: SQLiteCardStore.MigrationPlan, isInUse: Bool) {
        if plan.steps.isEmpty { return Console.write("The database is up to date.") }
        for step in plan.steps { Console.write("Would apply \(step).") }
        if let copy = plan.copy { Console.write("Would copy the database to \(copy) before.") }
        let free = plan.freeBytes.map { "; \($0) are free" } ?? ""
        Console.write("Takes about \(plan.seconds) s, and up to \(plan.neededBytes) bytes of space\(free).")
        if isInUse { Console.write("A server or another command has the database open: stop it before you migrate.") }
    }

    private func json(of plan: SQLiteCardStore.MigrationPlan, isInUse: Bool) -> JSONValue {
        [
            "dry_run": .bool(true), "pending": .array(plan.steps.map(JSONValue.string)),
            "copy": plan.copy.map(JSONValue.string) ?? .null, "seconds": .integer(plan.seconds),
            "database_bytes": .integer(plan.databaseBytes), "needed_bytes": .integer(plan.neededBytes),
            "free_bytes": plan.freeBytes.map(JSONValue.integer) ?? .null, "has_room": .bool(plan.hasRoom),
            "in_use": .bool(isInUse),
        ]
    }
}
