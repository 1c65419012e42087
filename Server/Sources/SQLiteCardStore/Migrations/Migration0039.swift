import GRDB

/// What apps propose as their content types, apart from what was accepted.
enum Migration0039: StoreMigration {
    static let identifier = "0039-content-type-proposals"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE content_type_proposals (
                    position INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    key_id TEXT NOT NULL,
                    app_version TEXT NOT NULL,
                    types TEXT NOT NULL,
                    updated_at REAL NOT NULL,
                    dismissed INTEGER NOT NULL DEFAULT 0,
                    UNIQUE (key_id, app_version)
                );
                """
        )
    }
}
