/// Adds when a picture was deleted whose bytes are still there, so that it can be brought back for a moment.
enum Migration0112 {
    static let migration = SchemaMigration(
        identifier: "0112-deleted-pictures",
        statements: [
            "ALTER TABLE media ADD COLUMN deleted_at \(ColumnType.time)",
            "CREATE INDEX media_by_deletion ON media (deleted_at) WHERE deleted_at IS NOT NULL",
        ]
    )
}
