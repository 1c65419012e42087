import GRDB

/// Keys, administrators, the audit log and the app's typed contents.
enum Migration0004: StoreMigration {
    static let identifier = "0004-access"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE keys (
                    position INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    name TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    permissions TEXT NOT NULL,
                    hash BLOB NOT NULL UNIQUE,
                    hint TEXT NOT NULL,
                    created_at REAL NOT NULL,
                    revoked_at REAL
                );

                CREATE TABLE administrators (
                    position INTEGER PRIMARY KEY,
                    email TEXT NOT NULL UNIQUE,
                    password_hash TEXT NOT NULL,
                    created_at REAL NOT NULL
                );

                CREATE TABLE audit (
                    position INTEGER PRIMARY KEY,
                    at REAL NOT NULL,
                    actor TEXT NOT NULL,
                    action TEXT NOT NULL,
                    subject TEXT NOT NULL
                );

                CREATE TABLE content_types (
                    class_type TEXT PRIMARY KEY NOT NULL,
                    schema TEXT NOT NULL,
                    updated_at REAL NOT NULL
                ) WITHOUT ROWID;
                """
        )
    }
}
