import GRDB

/// Adds the codes that devices show for tests, and names of test devices.
enum Migration0092: StoreMigration {
    static let identifier = "0092-test-codes"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE test_codes (
                    hash BLOB PRIMARY KEY NOT NULL,
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    device_id TEXT NOT NULL,
                    client BLOB,
                    expires_at REAL NOT NULL
                ) WITHOUT ROWID;
                CREATE UNIQUE INDEX test_codes_by_device ON test_codes (device_id);
                CREATE INDEX test_codes_by_user ON test_codes (user_id, expires_at);
                CREATE INDEX test_codes_by_client ON test_codes (client, expires_at);
                CREATE INDEX test_codes_by_expiry ON test_codes (expires_at);
                ALTER TABLE test_users ADD COLUMN name TEXT;
                """
        )
    }
}
