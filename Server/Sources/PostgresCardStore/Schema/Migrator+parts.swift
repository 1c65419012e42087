/// The places of migrations that are done in parts.
extension Migrator {
    /// Does the next part of a step, and returns whether it was the last one.
    func isLast(
        _ part: (_ connection: PostgresConnection, _ place: String?) throws -> String?,
        of step: SchemaMigration
    ) throws -> Bool {
        let before = try place(of: step)
        guard let reached = try part(connection, before) else {
            if before != nil { try connection.simple("DROP TABLE placard_migration_places") }
            return true
        }
        try save(reached, of: step)
        return false
    }

    /// The place up to which a step was done, or `nil` where it begins.
    private func place(of step: SchemaMigration) throws -> String? {
        let row = try connection.row("SELECT to_regclass('placard_migration_places') IS NOT NULL AS is_begun")
        guard try row?.flag("is_begun") == true else { return nil }
        return try connection.row("SELECT place FROM placard_migration_places WHERE step = $1", [step.identifier])?
            .text("place")
    }

    /// Only one step is done in parts at a time, after which the table goes.
    private func save(_ place: String, of step: SchemaMigration) throws {
        try connection.simple(
            """
            CREATE TABLE IF NOT EXISTS placard_migration_places (
                step \(ColumnType.text) PRIMARY KEY,
                place \(ColumnType.text) NOT NULL
            )
            """
        )
        try connection.execute(
            """
            INSERT INTO placard_migration_places (step, place) VALUES ($1, $2)
            ON CONFLICT (step) DO UPDATE SET place = $2
            """,
            [step.identifier, place]
        )
    }
}
