import CardModel
import CardStore
import Foundation
import GRDB

/// A key as a row keeps it.
enum KeyRow {
    static func all(_ database: Database) throws -> [APIKey] {
        try Row.fetchAll(database, sql: "SELECT * FROM keys ORDER BY position").map(APIKey.init)
    }

    static func find(_ id: String, in database: Database) throws -> APIKey? {
        try Row.fetchOne(database, sql: "SELECT * FROM keys WHERE id = ?", arguments: [id]).map(APIKey.init)
    }

    /// Writes what of a key can be edited.
    static func update(_ key: APIKey, in database: Database) throws {
        try database.execute(
            sql: "UPDATE keys SET name = ?, permissions = ?, expires_at = ?, allowed_addresses = ? WHERE id = ?",
            arguments: [key.name, key.permissionNames, key.expiresAt, key.addressTexts, key.id]
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
                key.id, key.name, key.kind.rawValue, key.permissionNames, Data(key.hash), key.hint, key.createdAt,
                key.revokedAt, key.expiresAt, key.addressTexts,
            ]
        )
    }

    /// Gives a key that works another secret, beside which the present one works until a moment.
    ///
    /// - Returns: Whether there is such a key.
    static func rotate(_ rotation: KeyRotation, in database: Database) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE keys SET previous_hash = hash, previous_expires_at = ?, hash = ?, hint = ?
                WHERE id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
                """,
            arguments: [
                rotation.previousUntil, Data(rotation.hash), rotation.hint, rotation.id, rotation.at,
            ]
        )
        return database.changesCount > 0
    }
}

extension APIKey {
    fileprivate var permissionNames: String { permissions.map(\.rawValue).sorted().joined(separator: ",") }
    fileprivate var addressTexts: String { allowedAddresses.map(\.description).joined(separator: ",") }

    /// Restores a key from its row.
    ///
    /// A permission that a newer version named gives nothing.
    init(_ row: Row) throws {
        let kind: String = row["kind"]
        let permissions: String = row["permissions"]
        let hash: Data = row["hash"]
        guard let kind = Kind(rawValue: kind) else { throw StoreError.unreadable("a key") }
        self.init(
            id: row["id"],
            name: row["name"],
            kind: kind,
            permissions: Set(permissions.split(separator: ",").compactMap { Permission(rawValue: String($0)) }),
            hash: [UInt8](hash),
            hint: row["hint"],
            createdAt: row["created_at"],
            revokedAt: row["revoked_at"]
        )
        expiresAt = row["expires_at"]
        lastUsedAt = row["last_used_at"]
        let addresses: String = row["allowed_addresses"]
        allowedAddresses = try addresses.split(separator: ",").map { text in
            // A range that can't be read must not open the key to every address.
            guard let range = AddressRange(text) else { throw StoreError.unreadable("a key's addresses") }
            return range
        }
        let previous: Data? = row["previous_hash"]
        if let previous, let end = row["previous_expires_at"] as UnixTime? {
            previousSecret = PreviousSecret(hash: [UInt8](previous), expiresAt: end)
        }
    }
}
