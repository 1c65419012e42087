import GRDB

/// Lists which purchases were counted, so that none is taken off that was not, and on which days conversions were.
///
/// Of purchases that were counted before, only the sum is known.
enum Migration0061: StoreMigration {
    static let identifier = "0061-counted-purchases"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE spending ADD COLUMN counted TEXT;
                ALTER TABLE conversions ADD COLUMN local_day INTEGER;
                """
        )
    }
}
