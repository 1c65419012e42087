import GRDB

/// How many purchases a user's spending is made of and when the first was made, so that one can be taken back.
enum Migration0037: StoreMigration {
    static let identifier = "0037-spending"
    static let rewritesUsers = true

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE spending ADD COLUMN purchases INTEGER NOT NULL DEFAULT 1;
                ALTER TABLE spending ADD COLUMN first_at REAL NOT NULL DEFAULT 0;
                UPDATE spending SET first_at = coalesce(
                    (
                        SELECT min(at) FROM conversions
                        WHERE conversions.user_id = spending.user_id
                            AND conversions.campaign_id = spending.campaign_id
                            AND conversions.conversion = spending.conversion
                    ),
                    0
                );
                """
        )
    }
}
