import GRDB

/// Lets the passwords of members be temporary, and tells members at their next sign-in what was changed of their account.
enum Migration0052: StoreMigration {
    static let identifier = "0052-temporary-passwords"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE members ADD COLUMN password_expires_at REAL;
                ALTER TABLE members ADD COLUMN changed_at REAL;
                ALTER TABLE members ADD COLUMN change_action TEXT;
                ALTER TABLE sessions ADD COLUMN account_change TEXT;
                """
        )
    }
}
