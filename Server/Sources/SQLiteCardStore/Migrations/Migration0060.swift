import GRDB

/// Keeps the pictures of the media library; their bytes are in files beside the database.
enum Migration0060: StoreMigration {
    static let identifier = "0060-media"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE media (
                    id TEXT NOT NULL PRIMARY KEY,
                    name TEXT NOT NULL,
                    alt TEXT NOT NULL,
                    format TEXT NOT NULL,
                    width INTEGER NOT NULL,
                    height INTEGER NOT NULL,
                    frames INTEGER NOT NULL,
                    widths TEXT NOT NULL,
                    bytes INTEGER NOT NULL,
                    created_at REAL NOT NULL,
                    created_by TEXT NOT NULL
                );
                CREATE INDEX media_by_time ON media (created_at, id);
                """
        )
    }
}
