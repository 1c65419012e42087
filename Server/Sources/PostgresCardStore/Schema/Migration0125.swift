/// Adds which shards were taken away for good: their numbers aren't given again, and what was counted there is the
/// home's.
enum Migration0125 {
    static let migration = SchemaMigration(
        identifier: "0125-removed-shards",
        statements: ["ALTER TABLE shards ADD COLUMN removed_at \(ColumnType.time)"]
    )
}
