import GRDB

/// Users and the cards that they were given, and the store's own row.
///
/// Whatever belongs to one user is keyed by the user's id first, so that it lies together and can be divided by it.
/// The tables have no rowid: a user's row is then one search away, and a user's cards are neighbours.
enum Migration0001: StoreMigration {
    static let identifier = "0001-users"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE store (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    epoch INTEGER NOT NULL,
                    generation INTEGER NOT NULL DEFAULT 0,
                    settings TEXT NOT NULL DEFAULT '{}',
                    checked_at REAL NOT NULL DEFAULT 0
                );
                INSERT INTO store (id, epoch) VALUES (1, random() & 9223372036854775807);

                CREATE TABLE users (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    device INTEGER NOT NULL,
                    last_seen_at REAL,
                    created_at REAL NOT NULL,
                    locale TEXT,
                    time_zone TEXT,
                    app_version TEXT,
                    custom TEXT,
                    standard TEXT
                ) WITHOUT ROWID;

                CREATE TABLE deliveries (
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    card_id TEXT NOT NULL,
                    campaign_id TEXT NOT NULL,
                    ordinal INTEGER NOT NULL,
                    variant_id TEXT NOT NULL,
                    delivered_at REAL NOT NULL,
                    position INTEGER NOT NULL,
                    changed_at INTEGER NOT NULL,
                    viewed INTEGER NOT NULL DEFAULT 0,
                    clicked INTEGER NOT NULL DEFAULT 0,
                    dismissed INTEGER NOT NULL DEFAULT 0,
                    ended TEXT,
                    PRIMARY KEY (user_id, card_id)
                ) WITHOUT ROWID;
                """
        )
    }
}
