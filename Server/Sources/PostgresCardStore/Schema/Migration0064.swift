/// Remembers whose events are in the log under an earlier id, so that a merge needn't move them all at once.
enum Migration0064 {
    static let migration = SchemaMigration(
        identifier: "0064-merged-logs",
        statements: [
            """
            CREATE TABLE merged_logs (
                former_id \(ColumnType.text) PRIMARY KEY,
                user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE
            )
            """,
            "CREATE INDEX merged_logs_by_user ON merged_logs (user_id)",
        ]
    )
}
