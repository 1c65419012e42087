import GRDB

/// Adds links for a password that members have asked for, beside those that administrators make.
enum Migration0100: StoreMigration {
    static let identifier = "0100-requested-links"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE members ADD COLUMN requested_link_hash BLOB;
                ALTER TABLE members ADD COLUMN requested_link_expires_at REAL;
                """
        )
    }
}
