import GRDB

/// Lets members choose a password by a link that an admin passes on.
enum Migration0053: StoreMigration {
    static let identifier = "0053-password-links"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE members ADD COLUMN link_hash BLOB;
                ALTER TABLE members ADD COLUMN link_expires_at REAL;
                """
        )
    }
}
