/// Adds which shards were taken away for good, which moves were called off, and when a log was last compared with what
/// other databases know.
///
/// The numbers of shards that were taken away aren't given again, and what was counted there is the home's. A database
/// notes in which history of its server its log had no events of users who were deleted elsewhere.
enum Migration0125 {
    static let migration = SchemaMigration(
        identifier: "0125-removed-shards",
        statements: [
            "ALTER TABLE shards ADD COLUMN removed_at \(ColumnType.time)",
            "ALTER TABLE store ADD COLUMN erasures_of BIGINT",
            "ALTER TABLE moves ADD COLUMN is_called_off BOOLEAN NOT NULL DEFAULT FALSE",
            """
            CREATE TABLE called_off_moves (
                target BIGINT NOT NULL,
                start BIGINT NOT NULL,
                stop BIGINT NOT NULL,
                source BIGINT NOT NULL,
                source_placement BIGINT NOT NULL,
                target_placement BIGINT NOT NULL,
                PRIMARY KEY (target, start)
            )
            """,
        ]
    )
}
