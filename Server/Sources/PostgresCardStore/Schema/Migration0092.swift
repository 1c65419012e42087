/// Adds the codes that devices show for tests, and names of test devices.
///
/// A code is unique over all users, so no foreign key leads from it to its user, who may be on another server.
enum Migration0092 {
    static let migration = SchemaMigration(
        identifier: "0092-test-codes",
        statements: [
            """
            CREATE TABLE test_codes (
                hash BYTEA PRIMARY KEY,
                user_id \(ColumnType.text) NOT NULL,
                device_id \(ColumnType.text) NOT NULL,
                client BYTEA,
                expires_at \(ColumnType.time) NOT NULL
            )
            """,
            "CREATE UNIQUE INDEX test_codes_by_device ON test_codes (device_id)",
            "CREATE INDEX test_codes_by_user ON test_codes (user_id, expires_at)",
            "CREATE INDEX test_codes_by_client ON test_codes (client, expires_at)",
            "CREATE INDEX test_codes_by_expiry ON test_codes (expires_at)",
            "ALTER TABLE test_users ADD COLUMN name \(ColumnType.text)",
        ]
    )
}
