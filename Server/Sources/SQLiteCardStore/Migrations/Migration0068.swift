import GRDB

/// Adds the accounts at OpenID providers with which members sign in.
enum Migration0068: StoreMigration {
    static let identifier = "0068-identities"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE members ADD COLUMN identity_issuer TEXT;
                ALTER TABLE members ADD COLUMN identity_subject TEXT;
                CREATE UNIQUE INDEX members_by_identity ON members (identity_issuer, identity_subject);
                """
        )
    }
}
