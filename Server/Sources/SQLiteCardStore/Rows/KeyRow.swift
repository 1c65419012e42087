import CardModel
import CardStore
import Foundation
import GRDB

/// A key as a row keeps it.
enum KeyRow {
    static func all(_ database: Database) throws -> [APIKey] {
        try rows(database).map(APIKey.init)
    }

    static func rows(_ database: Database) throws -> [Row] {
        try Row.fetchAll(database, sql: "SELECT * FROM keys ORDER BY position")
    }

    static func find(_ id: String, in database: Database) throws -> APIKey? {
        try Row.fetchOne(database, sql: "SELECT * FROM keys WHERE id = ?", arguments: [id]).map(APIKey.init)
    }

    /// Writes what of a key can be edited.
    static func update(_ key: APIKey, in database: Database) throws {
        try database.execute(
            sql: "UPDATE keys SET name = ?, permissions = ?, expires_at = ?, allowed_addresses = ? WHERE id = ?",
            arguments: [key.name, key.storedPermissions, key.expiresAt, key.storedAddresses, key.id]
        )
    }

    static func exists(_ key: APIKey, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM keys WHERE id = ? OR hash = ?)",
            arguments: [key.id, Data(key.hash)]
        ) ?? false
    }

    static func insert(_ key: APIKey, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO keys
                    (id, name, kind, permissions, hash, hint, created_at, revoked_at, expires_at, allowed_addresses)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                key.id, key.name, key.kind.rawValue, key.storedPermissions, Data(key.hash), key.hint, key.createdAt,
                key.revokedAt, key.expiresAt, key.storedAddresses,
            ]
        )
    }

    /// Removes the keys that were revoked the longest ago, but for so many.
    static func removeRevoked(beyond limit: Int, from database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM keys WHERE position IN (
                    SELECT position FROM keys WHERE revoked_at IS NOT NULL
                    ORDER BY revoked_at DESC, position DESC LIMIT -1 OFFSET ?
                )
                """,
            arguments: [limit]
        )
    }

    /// Gives a key another secret, beside which the present one works until a moment.
    static func rotate(_ rotation: KeyRotation, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE keys SET previous_hash = hash, previous_expires_at = ?, hash = ?, hint = ? WHERE id = ?
                """,
            arguments: [rotation.previousUntil, Data(rotation.hash), rotation.hint, rotation.id]
        )
    }
}
