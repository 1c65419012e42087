import GRDB

/// Adds when a picture was deleted whose bytes are still there, so that it can be brought back for a moment.
enum Migration0112: StoreMigration {
    static let identifier = "0112-deleted-pictures"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE media ADD COLUMN deleted_at REAL;
                CREATE INDEX media_by_deletion ON media (deleted_at) WHERE deleted_at IS NOT NULL;
                """
        )
    }
}
