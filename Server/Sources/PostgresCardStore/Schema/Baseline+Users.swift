extension Baseline {
    /// The store's own row, users, and the names that they have or had.
    static let users = """
        CREATE TABLE store (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            epoch BIGINT NOT NULL,
            generation BIGINT NOT NULL DEFAULT 0,
            settings \(ColumnType.text) NOT NULL DEFAULT '{}',
            checked_at \(ColumnType.time) NOT NULL DEFAULT 0,
            user_hash_key BYTEA NOT NULL,
            secrets_key BYTEA
        );

        CREATE TABLE users (
            id \(ColumnType.text) PRIMARY KEY,
            version BIGINT NOT NULL,
            device BIGINT NOT NULL,
            last_seen_at \(ColumnType.time),
            created_at \(ColumnType.time) NOT NULL,
            locale \(ColumnType.text),
            time_zone \(ColumnType.text),
            app_version \(ColumnType.text),
            custom \(ColumnType.text),
            standard \(ColumnType.text),
            first_seen_at \(ColumnType.time),
            updated_at \(ColumnType.time),
            sample_rank BIGINT NOT NULL,
            email \(ColumnType.text),
            folded_email \(ColumnType.text),
            phone \(ColumnType.text),
            folded \(ColumnType.text) NOT NULL DEFAULT ''
        ) WITH (fillfactor = 80);
        CREATE INDEX users_by_email ON users (folded_email, id) WHERE folded_email IS NOT NULL;
        CREATE INDEX users_by_phone ON users (phone) WHERE phone IS NOT NULL;
        CREATE INDEX users_sample ON users (sample_rank, id);

        CREATE TABLE user_counts (
            slot BIGINT PRIMARY KEY,
            users BIGINT NOT NULL
        ) WITH (fillfactor = 20);

        CREATE TABLE aliases (
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            label \(ColumnType.text) NOT NULL,
            name \(ColumnType.text) NOT NULL,
            PRIMARY KEY (user_id, label)
        );
        CREATE UNIQUE INDEX aliases_by_name ON aliases (label, name);

        CREATE TABLE erased_users (
            hash BYTEA PRIMARY KEY,
            erased_at \(ColumnType.time) NOT NULL
        );

        CREATE TABLE merged_users (
            hash BYTEA PRIMARY KEY,
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            merged_at \(ColumnType.time) NOT NULL
        );
        CREATE INDEX merged_users_by_user ON merged_users (user_id);

        CREATE TABLE test_users (
            user_id \(ColumnType.text) PRIMARY KEY,
            position BIGINT NOT NULL
        );
        """
}
