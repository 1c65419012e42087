import GRDB

/// Adds which folders in the bucket no picture has, so that their objects are removed also after a kill.
enum Migration0118: StoreMigration {
    static let identifier = "0118-bucket-folders"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE bucket_folders (
                    folder TEXT PRIMARY KEY NOT NULL,
                    media_id TEXT NOT NULL,
                    noted_at REAL NOT NULL,
                    is_claimed INTEGER NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX bucket_folders_by_time ON bucket_folders (noted_at);
                """
        )
    }
}
