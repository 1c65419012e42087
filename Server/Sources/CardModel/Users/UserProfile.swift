public import OrderedCollections
public import WireJSON

/// What is known of an end user.
public struct UserProfile: Sendable, Hashable {
    public var id: UserID
    /// Attributes that the app or backend named.
    public var custom: OrderedDictionary<String, JSONValue> = [:]
    /// Attributes with a meaning of their own, such as `country`; see ``StandardAttribute``.
    public var standard: OrderedDictionary<StandardAttribute, JSONValue> = [:]
    /// What the user's devices last said of themselves.
    public var device = DeviceContext()
    public var createdAt: UnixTime
    /// The last time that one of the user's devices was heard of, or `nil` for never.
    public var lastSeenAt: UnixTime?

    public init(id: UserID, createdAt: UnixTime) {
        self.id = id
        self.createdAt = createdAt
    }
}

/// What a device says of itself with every sync.
public struct DeviceContext: Sendable, Hashable {
    /// A BCP 47 tag, such as `ja-JP`.
    public var locale: String?
    /// An IANA name, such as `Asia/Tokyo`.
    public var timeZone: String?
    public var appVersion: String?

    public init(locale: String? = nil, timeZone: String? = nil, appVersion: String? = nil) {
        self.locale = locale
        self.timeZone = timeZone
        self.appVersion = appVersion
    }
}

/// Attributes with a meaning of their own, by their name on the wire.
public enum StandardAttribute: String, Sendable, CaseIterable {
    case country
    case language
    case timeZone = "time_zone"
    case firstName = "first_name"
    case lastName = "last_name"
    case email
    case phone
    case gender
    case dateOfBirth = "dob"
    case homeCity = "home_city"
}

/// What is to change of a user; `nil` of an attribute removes it.
public struct UserUpdate: Sendable, Hashable {
    public var id: UserID
    public var custom: OrderedDictionary<String, JSONValue>
    public var standard: OrderedDictionary<StandardAttribute, JSONValue>

    /// Makes an update. A `null` among the values removes that attribute.
    public init(
        id: UserID,
        custom: OrderedDictionary<String, JSONValue> = [:],
        standard: OrderedDictionary<StandardAttribute, JSONValue> = [:]
    ) {
        self.id = id
        self.custom = custom
        self.standard = standard
    }
}

extension UserProfile {
    /// Takes over what an update says and returns whether anything is different now.
    public mutating func apply(_ update: UserUpdate) -> Bool {
        let before = (custom, standard)
        for (name, value) in update.custom { custom[name] = value.isNull ? nil : value }
        for (name, value) in update.standard { standard[name] = value.isNull ? nil : value }
        return before != (custom, standard)
    }

    /// The value of a standard attribute: what a backend set, or else what the device said.
    public func value(of attribute: StandardAttribute) -> JSONValue? {
        if let value = standard[attribute] { return value }
        switch attribute {
        case .timeZone: return device.timeZone.map(JSONValue.string)
        case .language: return device.locale.map { .string(Self.language(of: $0)) }
        case .country: return device.locale.flatMap(Self.region).map(JSONValue.string)
        default: return nil
        }
    }

    private static func language(of locale: String) -> String {
        String(locale.prefix { $0 != "-" && $0 != "_" }).lowercased()
    }

    /// The region of a locale: the first part after the language that is two letters long.
    private static func region(of locale: String) -> String? {
        locale.split(whereSeparator: { $0 == "-" || $0 == "_" }).dropFirst()
            .first { $0.utf8.count == 2 }.map { $0.uppercased() }
    }
}
