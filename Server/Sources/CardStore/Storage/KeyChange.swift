package import CardModel
package import WireJSON

/// The change that editing a key writes; a store loads the key that it has, asks for this, and writes it.
package struct KeyChange: Sendable, Hashable {
    /// The key as it is to be.
    package let key: APIKey
    /// The differences, as the audit log has them.
    package let details: JSONValue
    /// Whether nothing is different.
    package let isEmpty: Bool

    /// Creates what editing a key writes, or returns `nil` for one that was revoked: that stays as it is.
    package init?(of old: APIKey, by edit: KeyEdit) {
        guard old.revokedAt == nil else { return nil }
        key = old.applying(edit)
        let differences = key.changes(from: old)
        isEmpty = differences.isEmpty
        details = ["changes": .array(differences)]
    }
}

extension StoreError {
    /// Says that there is a key of an id or a secret.
    package static let keyExists = StoreError(
        .exists,
        "A key with this ID or secret already exists. Create another key."
    )
}
