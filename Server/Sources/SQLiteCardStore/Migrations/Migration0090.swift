import GRDB

/// Adds files of users that members upload, with the lines that were rejected.
enum Migration0090: StoreMigration {
    static let identifier = "0090-imports"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE imports (
                    id TEXT PRIMARY KEY NOT NULL,
                    file_name TEXT NOT NULL,
                    format TEXT NOT NULL,
                    size INTEGER NOT NULL,
                    fingerprint TEXT NOT NULL,
                    created_at REAL NOT NULL,
                    created_by TEXT NOT NULL,
                    status TEXT NOT NULL,
                    received INTEGER NOT NULL DEFAULT 0,
                    plan TEXT,
                    started_at REAL,
                    ended_at REAL,
                    failure TEXT,
                    read_bytes INTEGER NOT NULL DEFAULT 0,
                    line INTEGER NOT NULL DEFAULT 1,
                    imported INTEGER NOT NULL DEFAULT 0,
                    rejected INTEGER NOT NULL DEFAULT 0,
                    worker TEXT,
                    leased_until REAL NOT NULL DEFAULT 0
                ) WITHOUT ROWID;
                CREATE INDEX imports_by_time ON imports (created_at DESC, id DESC);
                CREATE INDEX imports_open ON imports (status, started_at, id) WHERE ended_at IS NULL;
                CREATE TABLE import_pieces (
                    import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
                    place INTEGER NOT NULL,
                    bytes BLOB NOT NULL,
                    PRIMARY KEY (import_id, place)
                );
                CREATE TABLE import_rejects (
                    import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
                    line INTEGER NOT NULL,
                    reason TEXT NOT NULL,
                    PRIMARY KEY (import_id, line)
                ) WITHOUT ROWID;
                """
        )
    }
}
