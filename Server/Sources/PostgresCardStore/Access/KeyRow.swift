import CardModel
import CardStore

/// A key as a row holds it.
enum KeyRow {
    static func all(_ connection: PostgresConnection) throws -> [APIKey] {
        try rows(connection).map(APIKey.init)
    }

    static func rows(_ connection: PostgresConnection) throws -> [PostgresRow] {
        try connection.rows("SELECT * FROM keys ORDER BY position")
    }

    /// Reads a key, and keeps other nodes from changing it until the commit.
    static func lock(_ id: String, in connection: PostgresConnection) throws -> APIKey? {
        try connection.row("SELECT * FROM keys WHERE id = $1 FOR UPDATE", [id]).map(APIKey.init)
    }

    /// Inserts a key, or returns `false` where there is one of that id or secret.
    static func insert(_ key: APIKey, into connection: PostgresConnection) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO keys
                (id, name, kind, permissions, hash, hint, created_at, revoked_at, expires_at, allowed_addresses)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT DO NOTHING
            """,
            [
                key.id, key.name, key.kind.rawValue, key.storedPermissions, key.hash, key.hint, key.createdAt,
                key.revokedAt, key.expiresAt, key.storedAddresses,
            ]
        ) > 0
    }

    /// Writes what of a key can be edited.
    static func update(_ key: APIKey, in connection: PostgresConnection) throws {
        try connection.execute(
            "UPDATE keys SET name = $1, permissions = $2, expires_at = $3, allowed_addresses = $4 WHERE id = $5",
            [key.name, key.storedPermissions, key.expiresAt, key.storedAddresses, key.id]
        )
    }

    /// Removes the keys that were revoked the longest ago, but for so many.
    static func removeRevoked(beyond limit: Int, from connection: PostgresConnection) throws {
        try connection.execute(
            """
            DELETE FROM keys WHERE position IN (
                SELECT position FROM keys WHERE revoked_at IS NOT NULL
                ORDER BY revoked_at DESC, position DESC OFFSET $1
            )
            """,
            [limit]
        )
    }

    /// Gives a key another secret, beside which the present one works until a moment.
    static func rotate(_ rotation: KeyRotation, in connection: PostgresConnection) throws {
        try connection.execute(
            "UPDATE keys SET previous_hash = hash, previous_expires_at = $1, hash = $2, hint = $3 WHERE id = $4",
            [rotation.previousUntil, rotation.hash, rotation.hint, rotation.id]
        )
    }
}
