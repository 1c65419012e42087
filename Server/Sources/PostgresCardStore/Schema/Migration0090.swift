/// Adds files of users that members upload, with the lines that were rejected.
enum Migration0090 {
    static let migration = SchemaMigration(
        identifier: "0090-imports",
        statements: [
            """
            CREATE TABLE imports (
                id \(ColumnType.text) PRIMARY KEY,
                file_name \(ColumnType.text) NOT NULL,
                format \(ColumnType.text) NOT NULL,
                size BIGINT NOT NULL,
                fingerprint \(ColumnType.text) NOT NULL,
                created_at \(ColumnType.time) NOT NULL,
                created_by \(ColumnType.text) NOT NULL,
                status \(ColumnType.text) NOT NULL,
                received BIGINT NOT NULL DEFAULT 0,
                plan \(ColumnType.text),
                started_at \(ColumnType.time),
                ended_at \(ColumnType.time),
                failure \(ColumnType.text),
                read_bytes BIGINT NOT NULL DEFAULT 0,
                line BIGINT NOT NULL DEFAULT 1,
                imported BIGINT NOT NULL DEFAULT 0,
                rejected BIGINT NOT NULL DEFAULT 0,
                worker \(ColumnType.text),
                leased_until \(ColumnType.time) NOT NULL DEFAULT 0
            )
            """,
            "CREATE INDEX imports_by_time ON imports (created_at DESC, id DESC)",
            "CREATE INDEX imports_open ON imports (status, started_at, id) WHERE ended_at IS NULL",
            """
            CREATE TABLE import_pieces (
                import_id \(ColumnType.text) NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
                place BIGINT NOT NULL,
                bytes BYTEA NOT NULL,
                PRIMARY KEY (import_id, place)
            )
            """,
            """
            CREATE TABLE import_rejects (
                import_id \(ColumnType.text) NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
                line BIGINT NOT NULL,
                reason \(ColumnType.text) NOT NULL,
                PRIMARY KEY (import_id, line)
            )
            """,
        ]
    )
}
