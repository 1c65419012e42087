/// Adds which shards were taken away for good, which moves were called off, when a log was last compared with what
/// other databases know, and of which history of the home a shard's copy of the catalog is.
///
/// The numbers of shards that were taken away aren't given again, and what was counted there is the home's. A database
/// notes in which history of its server its log had no events of users who were deleted elsewhere. A shard that doesn't
/// know of which history its copy is takes the catalog over as a whole.
enum Migration0125 {
    static let migration = SchemaMigration(
        identifier: "0125-removed-shards",
        statements: [
            "ALTER TABLE shards ADD COLUMN removed_at \(ColumnType.time)",
            "ALTER TABLE store ADD COLUMN erasures_of BIGINT",
            "ALTER TABLE store ADD COLUMN replicated_of BIGINT",
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
