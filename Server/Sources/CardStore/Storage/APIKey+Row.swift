package import CardModel
import WireJSON

extension APIKey {
    /// The permissions as a row holds them.
    package var storedPermissions: String { permissions.map(\.rawValue).sorted().joined(separator: ",") }
    /// The addresses that the key works from as a row holds them.
    package var storedAddresses: String { allowedAddresses.map(\.description).joined(separator: ",") }

    /// Restores a key from its row.
    ///
    /// A permission that a newer version named gives nothing.
    package init(_ row: some StoredRow) throws {
        guard let kind = KeyKind(rawValue: try row.text("kind")) else { throw StoreError.unreadable("a key") }
        let permissions = try row.text("permissions")
        self.init(
            id: try row.text("id"),
            name: try row.text("name"),
            kind: kind,
            permissions: Set(permissions.split(at: ",").compactMap { Permission(rawValue: String($0)) }),
            hash: try row.bytes("hash"),
            hint: try row.text("hint"),
            createdAt: try row.double("created_at"),
            revokedAt: try row.optionalDouble("revoked_at")
        )
        expiresAt = try row.optionalDouble("expires_at")
        lastUsedAt = try row.optionalDouble("last_used_at")
        allowedAddresses = try row.text("allowed_addresses").split(at: ",").map { text in
            // A range that can't be read must not open the key to every address.
            guard let range = AddressRange(text) else { throw StoreError.unreadable("a key's addresses") }
            return range
        }
        if let previous = try row.optionalBytes("previous_hash"),
            let end = try row.optionalDouble("previous_expires_at")
        {
            previousSecret = PreviousSecret(hash: previous, expiresAt: end)
        }
    }
}
