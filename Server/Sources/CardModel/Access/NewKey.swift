import OrderedCollections
public import WireJSON

/// The values of a key that is to be created.
public struct NewKey: Sendable {
    /// The key's display name: 1 to 255 bytes.
    public let name: String
    /// The kind of program that holds the key.
    public let kind: APIKey.KeyKind
    /// The permissions of the key; by default everything that its kind can have.
    public let permissions: Set<Permission>
    /// The time at which it stops working, or `nil` for never.
    public let expiresAt: UnixTime?
    /// The addresses that may use it; any may where it is empty.
    public let allowedAddresses: [AddressRange]

    private static let fieldNames: Set<String> = ["name", "kind", "permissions", "expires_at", "allowed_addresses"]

    /// Reads a request's body.
    ///
    /// - Throws: `ModelError` that names the field.
    public init(json: JSONValue, at now: UnixTime) throws(ModelError) {
        let fields = try JSONFields(json, at: "", known: Self.fieldNames)
        name = try Self.name(fields)
        guard let kind = try fields.string("kind").flatMap(APIKey.KeyKind.init) else {
            throw fields.invalid("kind", "publishable or secret is expected.")
        }
        self.kind = kind
        permissions = try Self.permissions(fields, kind)
        expiresAt = try fields.time("expires_at")
        if let expiresAt, expiresAt <= now { throw fields.invalid("expires_at", "A time in the future is expected.") }
        allowedAddresses = try Self.addresses(fields, kind)
    }

    static func name(_ fields: JSONFields) throws(ModelError) -> String {
        guard let name = try fields.string("name"), (1...255).contains(name.utf8.count),
            !JSONFields.hasControlCharacters(name)
        else {
            throw fields.invalid("name", "A name of 1 to 255 bytes without control characters is expected.")
        }
        return name
    }

    static func permissions(_ fields: JSONFields, _ kind: APIKey.KeyKind) throws(ModelError) -> Set<Permission> {
        guard let names = try fields.strings("permissions") else { return kind == .secret ? [.manage] : [.device] }
        guard names.count <= Permission.allCases.count else {
            throw fields.invalid("permissions", "At most \(Permission.allCases.count) permissions are expected.")
        }
        var permissions: Set<Permission> = []
        for name in names {
            guard let permission = Permission(rawValue: name) else {
                throw fields.invalid("permissions", "There is no permission of that name.")
            }
            permissions.insert(permission)
        }
        if kind == .publishable, permissions != [.device] {
            throw fields.invalid("permissions", "A publishable key has the permission device and no other.")
        }
        guard !permissions.isEmpty else {
            throw fields.invalid("permissions", "Choose at least one permission.")
        }
        return permissions
    }

    static func addresses(_ fields: JSONFields, _ kind: APIKey.KeyKind) throws(ModelError) -> [AddressRange] {
        let texts = try fields.strings("allowed_addresses") ?? []
        guard kind == .secret || texts.isEmpty else {
            throw fields.invalid("allowed_addresses", "Only secret keys can be bound to addresses.")
        }
        guard texts.count <= APIKey.maximumAddresses else {
            throw fields.invalid("allowed_addresses", "At most \(APIKey.maximumAddresses) addresses are expected.")
        }
        var ranges: OrderedSet<AddressRange> = []
        for (index, text) in texts.enumerated() {
            guard let range = AddressRange(text) else {
                throw fields.invalid(
                    "allowed_addresses[\(index)]",
                    "An IP address or a range such as 10.0.0.0/8 is expected."
                )
            }
            ranges.append(range)
        }
        return Array(ranges)
    }
}

extension APIKey {
    /// The parts of a key that may be shown: everything but its secrets and their hashes.
    public var json: JSONValue {
        [
            "id": .string(id), "name": .string(name), "kind": .string(kind.rawValue),
            "permissions": .array(permissions.map(\.rawValue).sorted().map(JSONValue.string)), "hint": .string(hint),
            "created_at": .number(createdAt), "revoked_at": revokedAt.map(JSONValue.number) ?? .null,
            "expires_at": expiresAt.map(JSONValue.number) ?? .null,
            "allowed_addresses": .array(allowedAddresses.map { .string($0.description) }),
            "previous_secret_expires_at": previousSecret.map { .number($0.expiresAt) } ?? .null,
            "last_used_at": lastUsedAt.map(JSONValue.number) ?? .null,
        ]
    }
}
