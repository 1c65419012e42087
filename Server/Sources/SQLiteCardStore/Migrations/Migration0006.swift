import CardModel
import CardStore
import GRDB

/// What audiences ask for beside attributes: what users did, when they had to do with cards, saved segments, and a sample
/// of users that is quick to count.
///
/// `users_sample` holds an eighth of the users, whole, in an order that has nothing to do with who they are: counting
/// any share of it from the front is counting a random sample, read in one piece.
enum Migration0006: StoreMigration {
    static let identifier = "0006-audiences"
    static let rewritesUsers = true

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE histories (
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    part INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    currency TEXT NOT NULL,
                    count INTEGER NOT NULL,
                    first_at REAL NOT NULL,
                    last_at REAL NOT NULL,
                    revenue REAL NOT NULL,
                    recent BLOB NOT NULL,
                    PRIMARY KEY (user_id, part, name, currency)
                ) WITHOUT ROWID;

                CREATE TABLE segments (
                    id TEXT PRIMARY KEY NOT NULL,
                    content TEXT NOT NULL,
                    archived INTEGER NOT NULL,
                    version INTEGER NOT NULL,
                    created_at REAL NOT NULL,
                    updated_at REAL NOT NULL
                );
                CREATE INDEX segments_by_change ON segments (updated_at DESC, id);

                ALTER TABLE store ADD COLUMN user_count INTEGER NOT NULL DEFAULT 0;
                UPDATE store SET user_count = (SELECT count(*) FROM users);

                ALTER TABLE deliveries ADD COLUMN viewed_at REAL;
                ALTER TABLE deliveries ADD COLUMN clicked_at REAL;
                ALTER TABLE deliveries ADD COLUMN dismissed_at REAL;

                ALTER TABLE users ADD COLUMN first_seen_at REAL;
                ALTER TABLE users ADD COLUMN sample_rank INTEGER NOT NULL DEFAULT 0;
                UPDATE users SET first_seen_at = created_at WHERE last_seen_at IS NOT NULL;
                """
        )
        try rankUsers(in: database)
        try database.execute(
            sql: """
                CREATE INDEX users_sample ON users
                    (sample_rank, created_at, first_seen_at, last_seen_at, locale, time_zone, app_version, custom, standard)
                    WHERE sample_rank < \(SampleRank.kept);
                """
        )
        try HistoryRows.make(in: database, isBinary: true)
        try datePastContacts(in: database)
    }

    private static func rankUsers(in database: Database) throws {
        let rank = DatabaseFunction("placard_sample_rank", argumentCount: 1, pure: true) { values in
            // safe: the row has that column
            String.fromDatabaseValue(values[0]).map { SampleRank.of(UserID(rawValue: $0)) }
        }
        database.add(function: rank)
        defer { database.remove(function: rank) }
        try database.execute(sql: "UPDATE users SET sample_rank = placard_sample_rank(id)")
    }

    private static func datePastContacts(in database: Database) throws {
        for (column, flag, type) in [
            ("viewed_at", "viewed", "impression"), ("clicked_at", "clicked", "click"),
            ("dismissed_at", "dismissed", "dismissal"),
        ] {
            try database.execute(
                sql: """
                    UPDATE deliveries SET \(column) = (
                        SELECT max(at) FROM events
                        WHERE events.user_id = deliveries.user_id AND events.card_id = deliveries.card_id AND type = '\(type)'
                    ) WHERE \(flag) <> 0
                    """
            )
        }
    }
}
