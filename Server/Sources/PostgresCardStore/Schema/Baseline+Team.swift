extension Baseline {
    /// Keys, the team, the audit log and the webhook.
    static let team = """
        CREATE TABLE keys (
            position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id \(ColumnType.text) NOT NULL UNIQUE,
            name \(ColumnType.text) NOT NULL,
            kind \(ColumnType.text) NOT NULL,
            permissions \(ColumnType.text) NOT NULL,
            hash BYTEA NOT NULL UNIQUE,
            hint \(ColumnType.text) NOT NULL,
            created_at \(ColumnType.time) NOT NULL,
            revoked_at \(ColumnType.time),
            expires_at \(ColumnType.time),
            allowed_addresses \(ColumnType.text) NOT NULL DEFAULT '',
            previous_hash BYTEA,
            previous_expires_at \(ColumnType.time),
            last_used_at \(ColumnType.time)
        );

        CREATE TABLE members (
            position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            email \(ColumnType.text) NOT NULL UNIQUE,
            name \(ColumnType.text) NOT NULL,
            role \(ColumnType.text) NOT NULL,
            password_hash \(ColumnType.text) NOT NULL,
            password_expires_at \(ColumnType.time),
            created_at \(ColumnType.time) NOT NULL,
            sealed_code_secret BYTEA,
            last_code_step BIGINT NOT NULL DEFAULT 0,
            recovery_codes BYTEA NOT NULL DEFAULT ''::bytea,
            recovery_hashes BYTEA NOT NULL DEFAULT ''::bytea,
            last_signed_in_at \(ColumnType.time),
            changed_at \(ColumnType.time),
            change_action \(ColumnType.text),
            link_hash BYTEA UNIQUE,
            link_expires_at \(ColumnType.time)
        );

        CREATE TABLE sessions (
            hash BYTEA PRIMARY KEY,
            email \(ColumnType.text) NOT NULL REFERENCES members (email) ON DELETE CASCADE,
            form_key BYTEA NOT NULL,
            created_at \(ColumnType.time) NOT NULL,
            expires_at \(ColumnType.time) NOT NULL,
            last_used_at \(ColumnType.time) NOT NULL,
            confirmed_at \(ColumnType.time) NOT NULL,
            address \(ColumnType.text) NOT NULL DEFAULT '',
            browser \(ColumnType.text) NOT NULL DEFAULT '',
            account_change \(ColumnType.text)
        );
        CREATE INDEX sessions_by_member ON sessions (email);
        CREATE INDEX sessions_by_end ON sessions (expires_at);

        CREATE TABLE spent_forms (
            token BYTEA PRIMARY KEY,
            expires_at \(ColumnType.time) NOT NULL
        );
        CREATE INDEX spent_forms_by_end ON spent_forms (expires_at);

        CREATE TABLE attempts (
            subject BYTEA PRIMARY KEY,
            count BIGINT NOT NULL,
            last_at \(ColumnType.time) NOT NULL
        );
        CREATE INDEX attempts_by_time ON attempts (last_at);

        CREATE TABLE audit (
            position BIGINT PRIMARY KEY,
            at \(ColumnType.time) NOT NULL,
            actor \(ColumnType.text) NOT NULL,
            actor_kind \(ColumnType.text) NOT NULL,
            action \(ColumnType.text) NOT NULL,
            subject \(ColumnType.text) NOT NULL,
            details \(ColumnType.text),
            hash BYTEA NOT NULL
        );

        CREATE TABLE audit_chain (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            last_count BIGINT NOT NULL,
            last_position BIGINT NOT NULL,
            last_hash BYTEA NOT NULL,
            anchor_count BIGINT NOT NULL,
            anchor_position BIGINT NOT NULL,
            anchor_hash BYTEA NOT NULL
        );
        INSERT INTO audit_chain VALUES (1, 0, 0, '', 0, 0, '');

        CREATE TABLE webhooks (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            url \(ColumnType.text) NOT NULL,
            sealed_secret BYTEA,
            types \(ColumnType.text) NOT NULL,
            created_at \(ColumnType.time) NOT NULL,
            position BIGINT NOT NULL,
            failures BIGINT NOT NULL,
            next_attempt_at \(ColumnType.time) NOT NULL,
            last_success_at \(ColumnType.time),
            last_failure_at \(ColumnType.time),
            last_failure \(ColumnType.text),
            worker \(ColumnType.text),
            worker_until \(ColumnType.time) NOT NULL DEFAULT 0,
            dropped_notices BIGINT NOT NULL DEFAULT 0
        );

        CREATE TABLE webhook_notices (
            position BIGINT PRIMARY KEY,
            id BYTEA NOT NULL,
            kind \(ColumnType.text) NOT NULL,
            user_id \(ColumnType.text) NOT NULL,
            details \(ColumnType.text) NOT NULL,
            at \(ColumnType.time) NOT NULL
        );

        CREATE TABLE webhook_notice_head (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            position BIGINT NOT NULL
        );
        INSERT INTO webhook_notice_head VALUES (1, 0);

        CREATE TABLE sealed_values (
            name \(ColumnType.text) PRIMARY KEY,
            value BYTEA NOT NULL
        );
        """
}
