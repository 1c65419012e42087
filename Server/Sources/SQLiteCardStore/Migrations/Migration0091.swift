import GRDB

/// Adds the filters of lists that members have saved.
enum Migration0091: StoreMigration {
    static let identifier = "0091-saved-filters"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE saved_filters (
                    id TEXT PRIMARY KEY NOT NULL,
                    list TEXT NOT NULL,
                    owner TEXT NOT NULL,
                    shared INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    query TEXT NOT NULL,
                    created_at REAL NOT NULL,
                    updated_at REAL NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX saved_filters_by_owner ON saved_filters (owner);
                CREATE INDEX saved_filters_shared ON saved_filters (shared) WHERE shared;
                """
        )
    }
}
