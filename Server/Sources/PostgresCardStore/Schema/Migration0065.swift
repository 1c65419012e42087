/// Adds the messages to members that wait to be sent, and the language that members have chosen.
enum Migration0065 {
    static let migration = SchemaMigration(
        identifier: "0065-mails",
        statements: [
            """
            CREATE TABLE mails (
                id \(ColumnType.text) PRIMARY KEY,
                recipient \(ColumnType.text) NOT NULL REFERENCES members (email) ON DELETE CASCADE,
                kind \(ColumnType.text) NOT NULL,
                language \(ColumnType.text),
                sealed_content BYTEA NOT NULL,
                created_at \(ColumnType.time) NOT NULL,
                expires_at \(ColumnType.time) NOT NULL,
                next_attempt_at \(ColumnType.time) NOT NULL,
                failures BIGINT NOT NULL DEFAULT 0,
                failure \(ColumnType.text),
                failed_at \(ColumnType.time),
                worker \(ColumnType.text)
            )
            """,
            "CREATE INDEX mails_by_recipient ON mails (recipient)",
            "CREATE INDEX mails_by_attempt ON mails (next_attempt_at, id)",
            "ALTER TABLE members ADD COLUMN language \(ColumnType.text)",
        ]
    )
}
