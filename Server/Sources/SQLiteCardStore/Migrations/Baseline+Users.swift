// Users, and what belongs to them.
// Whatever belongs to one user is keyed by the user's id first, so that it lies together and can be divided by it. The
// tables have no rowid: a user's row is then one search away, and a user's cards are neighbours.

extension Baseline {
    /// The store's own row, users, and their cards.
    ///
    /// `users_sample` holds an eighth of the users, whole, in an order that has nothing to do with who they are:
    /// counting any share of it from the front is counting a random sample, read in one piece.
    static let users = """
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch INTEGER NOT NULL,
            generation INTEGER NOT NULL DEFAULT 0,
            settings TEXT NOT NULL DEFAULT '{}',
            checked_at REAL NOT NULL DEFAULT 0,
            user_count INTEGER NOT NULL DEFAULT 0,
            secrets_key BLOB,
            user_hash_key BLOB
        );

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
            standard TEXT,
            first_seen_at REAL,
            sample_rank INTEGER NOT NULL DEFAULT 0,
            updated_at REAL
        ) WITHOUT ROWID;
        CREATE INDEX users_sample ON users
            (sample_rank, created_at, first_seen_at, last_seen_at, locale, time_zone, app_version, custom, standard)
            WHERE sample_rank < 134217728;
        CREATE INDEX users_by_email ON users (lower(json_extract(standard, '$.email')))
        WHERE json_extract(standard, '$.email') IS NOT NULL;
        CREATE INDEX users_by_phone ON users (json_extract(standard, '$.phone'))
        WHERE json_extract(standard, '$.phone') IS NOT NULL;

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
            viewed_at REAL,
            clicked_at REAL,
            dismissed_at REAL,
            trigger_id TEXT,
            properties TEXT,
            rendered TEXT,
            first_viewed_at REAL,
            PRIMARY KEY (user_id, card_id)
        ) WITHOUT ROWID;

        CREATE TABLE test_cards (
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            card_id TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            variant_id TEXT NOT NULL,
            language TEXT,
            members BLOB NOT NULL,
            pinned INTEGER NOT NULL,
            priority INTEGER NOT NULL,
            sent_at REAL NOT NULL,
            expires_at REAL NOT NULL,
            viewed INTEGER NOT NULL DEFAULT 0,
            clicked INTEGER NOT NULL DEFAULT 0,
            dismissed INTEGER NOT NULL DEFAULT 0,
            replaced INTEGER NOT NULL DEFAULT 0,
            changed_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, card_id)
        ) WITHOUT ROWID;

        CREATE TABLE test_users (
            user_id TEXT NOT NULL PRIMARY KEY,
            position INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// Other names of users: aliases, and by keyed hashes the ids that were merged or erased.
    ///
    /// Aliases lie with their user. The index that finds their owner is the one thing here that can't be divided by
    /// user; a store that is divided keeps it as a table of its own.
    static let names = """
        CREATE TABLE aliases (
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            label TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (user_id, label)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX aliases_by_name ON aliases (label, name);

        CREATE TABLE merged_users (
            hash BLOB PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            merged_at REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX merged_users_by_user ON merged_users (user_id);

        CREATE TABLE erased_users (
            hash BLOB PRIMARY KEY,
            erased_at REAL NOT NULL
        ) WITHOUT ROWID;
        """

    /// The tables of what users did, and what of it campaigns count once.
    ///
    /// Amounts are decimal texts. A row of `spending` lists the purchases that were counted, so that none is taken off
    /// that wasn't.
    static let histories = """
        CREATE TABLE histories (
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            part INTEGER NOT NULL,
            name TEXT NOT NULL,
            currency TEXT NOT NULL,
            count INTEGER NOT NULL,
            first_at REAL NOT NULL,
            last_at REAL NOT NULL,
            revenue TEXT NOT NULL,
            recent BLOB NOT NULL,
            PRIMARY KEY (user_id, part, name, currency)
        ) WITHOUT ROWID;

        CREATE TABLE conversions (
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            campaign_id TEXT NOT NULL,
            conversion TEXT NOT NULL,
            card_id TEXT NOT NULL,
            at REAL NOT NULL,
            local_day INTEGER,
            PRIMARY KEY (user_id, campaign_id, conversion, card_id)
        ) WITHOUT ROWID;

        CREATE TABLE spending (
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            campaign_id TEXT NOT NULL,
            conversion TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount TEXT NOT NULL,
            purchases INTEGER NOT NULL,
            first_at REAL NOT NULL,
            counted TEXT,
            PRIMARY KEY (user_id, campaign_id, conversion, currency)
        ) WITHOUT ROWID;

        CREATE TABLE withholdings (
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            campaign_id TEXT NOT NULL,
            variant_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            at REAL NOT NULL,
            PRIMARY KEY (user_id, campaign_id, variant_id, kind)
        ) WITHOUT ROWID;
        """

    /// The tables of what entitles users to cards: one small row for each recipient of a trigger, one in all for a
    /// broadcast.
    ///
    /// The partial index holds only what still waits, so that reading it costs nothing for users without waiting
    /// triggers. A send is put off or called off by its id alone, while its triggers lie with their users.
    static let triggers = """
        CREATE TABLE triggers (
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            campaign_id TEXT NOT NULL,
            trigger_id TEXT NOT NULL,
            at REAL NOT NULL,
            due_at REAL NOT NULL,
            due_locally INTEGER NOT NULL,
            until REAL NOT NULL,
            properties TEXT,
            outcome TEXT,
            PRIMARY KEY (user_id, campaign_id, trigger_id)
        ) WITHOUT ROWID;
        CREATE INDEX waiting_triggers ON triggers (user_id, at, trigger_id) WHERE outcome IS NULL;

        CREATE TABLE broadcasts (
            campaign_id TEXT NOT NULL,
            trigger_id TEXT NOT NULL,
            at REAL NOT NULL,
            due_at REAL NOT NULL,
            due_locally INTEGER NOT NULL,
            until REAL NOT NULL,
            properties TEXT,
            audience TEXT NOT NULL,
            PRIMARY KEY (campaign_id, trigger_id)
        ) WITHOUT ROWID;
        CREATE INDEX broadcasts_by_end ON broadcasts (until);

        CREATE TABLE schedules (
            campaign_id TEXT NOT NULL,
            trigger_id TEXT NOT NULL,
            users TEXT NOT NULL,
            until REAL NOT NULL,
            PRIMARY KEY (campaign_id, trigger_id)
        ) WITHOUT ROWID;
        CREATE INDEX schedules_by_end ON schedules (until);
        """
}
