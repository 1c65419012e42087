// Keys, the team, the audit log, and what leaves the server.

extension Baseline {
    /// API keys, and what the store keeps secret for others.
    static let keys = """
        CREATE TABLE keys (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            permissions TEXT NOT NULL,
            hash BLOB NOT NULL UNIQUE,
            hint TEXT NOT NULL,
            created_at REAL NOT NULL,
            revoked_at REAL,
            expires_at REAL,
            allowed_addresses TEXT NOT NULL DEFAULT '',
            previous_hash BLOB,
            previous_expires_at REAL,
            last_used_at REAL
        );

        CREATE TABLE sealed_values (
            name TEXT PRIMARY KEY NOT NULL,
            value BLOB NOT NULL
        ) WITHOUT ROWID;
        """

    /// Members, their sessions, forms that were sent, and attempts at what can be guessed.
    ///
    /// The columns without `sealed_` hold what an older version left readable, until the store is opened with a key.
    static let team = """
        CREATE TABLE members (
            position INTEGER PRIMARY KEY,
            email TEXT NOT NULL UNIQUE,
            password_hash TEXT NOT NULL,
            created_at REAL NOT NULL,
            name TEXT NOT NULL DEFAULT '',
            role TEXT NOT NULL DEFAULT 'admin',
            code_secret BLOB,
            last_code_step INTEGER NOT NULL DEFAULT 0,
            last_signed_in_at REAL,
            recovery_codes BLOB NOT NULL DEFAULT x'',
            sealed_code_secret BLOB,
            recovery_hashes BLOB NOT NULL DEFAULT x'',
            password_expires_at REAL,
            changed_at REAL,
            change_action TEXT,
            link_hash BLOB,
            link_expires_at REAL
        );

        CREATE TABLE sessions (
            hash BLOB PRIMARY KEY NOT NULL,
            email TEXT NOT NULL REFERENCES members (email) ON DELETE CASCADE,
            form_key BLOB NOT NULL,
            created_at REAL NOT NULL,
            expires_at REAL NOT NULL,
            last_used_at REAL NOT NULL DEFAULT 0,
            confirmed_at REAL NOT NULL DEFAULT 0,
            address TEXT NOT NULL DEFAULT '',
            browser TEXT NOT NULL DEFAULT '',
            account_change TEXT
        ) WITHOUT ROWID;
        CREATE INDEX sessions_by_member ON sessions (email);
        CREATE INDEX sessions_by_end ON sessions (expires_at);

        CREATE TABLE spent_forms (
            token BLOB PRIMARY KEY NOT NULL,
            expires_at REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX spent_forms_by_end ON spent_forms (expires_at);

        CREATE TABLE attempts (
            subject BLOB PRIMARY KEY NOT NULL,
            count INTEGER NOT NULL,
            last_at REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX attempts_by_time ON attempts (last_at);
        """

    /// The audit log, whose entries are chained so that one that is removed or changed shows.
    ///
    /// The chain's ends have a row of their own: without it, it couldn't be told that the last entries are gone.
    static let audit = """
        CREATE TABLE audit (
            position INTEGER PRIMARY KEY,
            at REAL NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            actor_kind TEXT NOT NULL DEFAULT '',
            details TEXT,
            hash BLOB NOT NULL DEFAULT x''
        );

        CREATE TABLE audit_chain (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            last_count INTEGER NOT NULL,
            last_position INTEGER NOT NULL,
            last_hash BLOB NOT NULL,
            anchor_count INTEGER NOT NULL,
            anchor_position INTEGER NOT NULL,
            anchor_hash BLOB NOT NULL
        );
        """

    /// The log of events, which is only ever appended to and read by position, and the webhook that follows it.
    ///
    /// `AUTOINCREMENT` keeps a position from being given out twice after a user's events were deleted, so that whoever
    /// follows the log can remember how far they are.
    static let events = """
        CREATE TABLE events (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id TEXT NOT NULL,
            id BLOB NOT NULL,
            type TEXT NOT NULL,
            at REAL NOT NULL,
            received_at REAL NOT NULL,
            card_id TEXT,
            campaign_id TEXT,
            variant_id TEXT,
            details TEXT
        );
        CREATE UNIQUE INDEX events_by_user ON events (user_id, id);

        CREATE TABLE webhooks (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            url TEXT NOT NULL,
            secret TEXT NOT NULL,
            types TEXT NOT NULL,
            created_at REAL NOT NULL,
            position INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            next_attempt_at REAL NOT NULL,
            last_success_at REAL,
            last_failure_at REAL,
            last_failure TEXT,
            worker TEXT,
            worker_until REAL NOT NULL DEFAULT 0,
            sealed_secret BLOB,
            dropped_notices INTEGER NOT NULL DEFAULT 0
        );

        CREATE TABLE webhook_notices (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL,
            kind TEXT NOT NULL,
            user_id TEXT NOT NULL,
            details TEXT NOT NULL,
            at REAL NOT NULL
        );
        """

    /// The changes of each process that writes, so that the others notice.
    ///
    /// SQLite tells a process that the file was written, but not by which process nor what; each process leaves two
    /// counters here.
    static let writers = """
        CREATE TABLE writers (
            id INTEGER PRIMARY KEY,
            catalog_changes INTEGER NOT NULL,
            user_changes INTEGER NOT NULL,
            changed_at REAL NOT NULL
        );
        """
}
