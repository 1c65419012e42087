import GRDB

/// The team: roles and second factors, sessions, forms that were sent, failures to sign in.
enum Migration0011: StoreMigration {
    static let identifier = "0011-team"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE administrators RENAME TO members;
                ALTER TABLE members ADD COLUMN name TEXT NOT NULL DEFAULT '';
                ALTER TABLE members ADD COLUMN role TEXT NOT NULL DEFAULT 'admin';
                ALTER TABLE members ADD COLUMN code_secret BLOB;
                ALTER TABLE members ADD COLUMN last_code_step INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE members ADD COLUMN last_signed_in_at REAL;

                CREATE TABLE sessions (
                    hash BLOB PRIMARY KEY NOT NULL,
                    email TEXT NOT NULL REFERENCES members (email) ON DELETE CASCADE,
                    form_key BLOB NOT NULL,
                    created_at REAL NOT NULL,
                    expires_at REAL NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX sessions_by_member ON sessions (email);
                CREATE INDEX sessions_by_end ON sessions (expires_at);

                CREATE TABLE spent_forms (
                    token BLOB PRIMARY KEY NOT NULL,
                    expires_at REAL NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX spent_forms_by_end ON spent_forms (expires_at);

                CREATE TABLE sign_in_failures (
                    subject TEXT PRIMARY KEY NOT NULL,
                    count INTEGER NOT NULL,
                    last_at REAL NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX sign_in_failures_by_time ON sign_in_failures (last_at);
                """
        )
    }
}
