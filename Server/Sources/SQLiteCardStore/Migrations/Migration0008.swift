import GRDB

/// Other names of users: aliases, e-mail addresses and telephone numbers.
///
/// Aliases lie with their user. The index that finds their owner is the one thing here that cannot be divided by user;
/// a store that is divided keeps it as a table of its own.
enum Migration0008: StoreMigration {
    static let identifier = "0008-aliases"
    static let rewritesUsers = true

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE users ADD COLUMN updated_at REAL;

                CREATE TABLE aliases (
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    label TEXT NOT NULL,
                    name TEXT NOT NULL,
                    PRIMARY KEY (user_id, label)
                ) WITHOUT ROWID;
                CREATE UNIQUE INDEX aliases_by_name ON aliases (label, name);

                CREATE INDEX users_by_email ON users (lower(json_extract(standard, '$.email')))
                WHERE json_extract(standard, '$.email') IS NOT NULL;
                CREATE INDEX users_by_phone ON users (json_extract(standard, '$.phone'))
                WHERE json_extract(standard, '$.phone') IS NOT NULL;
                """
        )
    }
}
