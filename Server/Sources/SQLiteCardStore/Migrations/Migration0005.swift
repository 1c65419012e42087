import GRDB

/// What each process that writes has changed, so that the others notice.
///
/// SQLite tells a process that the file was written, not by whom nor what; each process leaves two counters here.
enum Migration0005: StoreMigration {
    static let identifier = "0005-writers"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE writers (
                    id INTEGER PRIMARY KEY,
                    catalog_changes INTEGER NOT NULL,
                    user_changes INTEGER NOT NULL,
                    changed_at REAL NOT NULL
                );
                """
        )
    }
}
