import GRDB

/// Lets keys expire, change their secret, be bound to addresses, and tell when they were last used.
enum Migration0041: StoreMigration {
    static let identifier = "0041-key-limits"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE keys ADD COLUMN expires_at REAL;
                ALTER TABLE keys ADD COLUMN allowed_addresses TEXT NOT NULL DEFAULT '';
                ALTER TABLE keys ADD COLUMN previous_hash BLOB;
                ALTER TABLE keys ADD COLUMN previous_expires_at REAL;
                ALTER TABLE keys ADD COLUMN last_used_at REAL;
                """
        )
    }
}
