public import WireJSON

/// The changes to make to a key; its kind and its secret stay.
public struct KeyEdit: Sendable, Hashable {
    /// The new name, or `nil` to keep it.
    public private(set) var name: String?
    /// The new permissions, or `nil` to keep them.
    public private(set) var permissions: Set<Permission>?
    /// The new time at which the key expires, or `nil` to keep the present one.
    public private(set) var expiry: KeyExpiry?
    /// The addresses that may use it from now on, or `nil` to keep them; any may where it is empty.
    public private(set) var allowedAddresses: [AddressRange]?

    /// The time at which a key expires.
    public enum KeyExpiry: Sendable, Hashable {
        /// Not by itself.
        case never
        /// At a moment.
        case at(UnixTime)
    }

    private static let fieldNames: Set<String> = ["name", "permissions", "expires_at", "allowed_addresses"]

    /// Reads a request's body; what is absent stays as it is, and `null` for `expires_at` means never.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - key: The key that is edited.
    ///   - now: The time. An expiry has to be later, unless it is the key's own.
    /// - Throws: `ModelError` that names the field.
    public init(json: JSONValue, of key: APIKey, at now: UnixTime) throws(ModelError) {
        let fields = try JSONFields(json, at: "", known: Self.fieldNames)
        let names = Set((json.object ?? [:]).keys)
        if names.contains("name") { name = try NewKey.name(fields) }
        if names.contains("permissions") {
            guard fields["permissions"] != nil else { throw fields.invalid("permissions", "An array is expected.") }
            permissions = try NewKey.permissions(fields, key.kind)
        }
        if names.contains("expires_at") {
            let time = try fields.time("expires_at")
            if let time, time <= now, time != key.expiresAt {
                throw fields.invalid("expires_at", "A time in the future is expected.")
            }
            expiry = time.map(KeyExpiry.at) ?? .never
        }
        if names.contains("allowed_addresses") { allowedAddresses = try NewKey.addresses(fields, key.kind) }
    }
}

extension APIKey {
    /// Returns the key as it is after an edit.
    public func applying(_ edit: KeyEdit) -> APIKey {
        var key = self
        if let name = edit.name { key.name = name }
        if let permissions = edit.permissions { key.permissions = permissions }
        if let addresses = edit.allowedAddresses { key.allowedAddresses = addresses }
        switch edit.expiry {
        case .never?: key.expiresAt = nil
        case .at(let time)?: key.expiresAt = time
        case nil: break
        }
        return key
    }

    /// Returns what is different from how the key was, for the audit log: objects with `field`, `previous` and
    /// `current`.
    public func changes(from old: APIKey) -> [JSONValue] {
        let previous = old.json.object ?? [:]
        return (json.object ?? [:]).compactMap { name, value in
            let before = previous[name] ?? .null
            return before == value ? nil : AuditChange(name, from: before, to: value).json
        }
    }
}
