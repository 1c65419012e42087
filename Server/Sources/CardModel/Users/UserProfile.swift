public import OrderedCollections
public import WireJSON

/// The profile of an end user.
public struct UserProfile: Sendable, Hashable {
    /// The id.
    public var id: UserID
    /// Attributes that the app or backend named.
    public var custom: JSONObject = [:]
    /// Attributes with a meaning of their own, such as `country`; see ``StandardAttribute``.
    public var standard: OrderedDictionary<StandardAttribute, JSONValue> = [:]
    /// The addresses among the attributes that a device set last.
    public var claimed: ClaimedAddresses = []
    /// The context that the user's devices last reported.
    public var device = DeviceContext()
    /// The time at which the store first heard of the user.
    public var createdAt: UnixTime
    /// The first time that one of the user's devices was heard of, or `nil` for never.
    public var firstSeenAt: UnixTime?
    /// The last time that one of the user's devices was heard of, or `nil` for never.
    public var lastSeenAt: UnixTime?

    /// Creates a user without attributes or devices.
    public init(id: UserID, createdAt: UnixTime) {
        self.id = id
        self.createdAt = createdAt
    }
}

/// The description that a device gives of itself with every sync.
public struct DeviceContext: Sendable, Hashable {
    /// A BCP 47 tag, such as `ja-JP`.
    @Bytewise public var locale: String?
    /// An IANA name, such as `Asia/Tokyo`.
    @Bytewise public var timeZone: String?
    /// The version of the app, as the app says it.
    @Bytewise public var appVersion: String?

    /// Creates a context.
    public init(locale: String? = nil, timeZone: String? = nil, appVersion: String? = nil) {
        self.locale = locale
        self.timeZone = timeZone
        self.appVersion = appVersion
    }

    /// Returns the context with what is absent filled in from an older one: a client that doesn't say its locale has
    /// not lost it.
    public func completed(by older: DeviceContext) -> DeviceContext {
        DeviceContext(
            locale: locale ?? older.locale,
            timeZone: timeZone ?? older.timeZone,
            appVersion: appVersion ?? older.appVersion
        )
    }

    /// The context without a time zone that isn't known: what a device makes up is no more than if it had said nothing.
    public var withKnownZone: DeviceContext {
        guard let timeZone, TimeZoneClock(named: timeZone) == nil else { return self }
        var context = self
        context.timeZone = nil
        return context
    }
}

/// Attributes with a meaning of their own, by their name on the wire.
public enum StandardAttribute: String, Sendable, CaseIterable {
    /// Two letters, ISO 3166; where no backend set it, the region of the device's locale.
    case country
    /// ISO 639, lower case; where no backend set it, that of the device's locale.
    case language
    /// An IANA name; where no backend set it, the device's.
    case timeZone = "time_zone"
    /// The given name.
    case firstName = "first_name"
    /// The family name.
    case lastName = "last_name"
    /// The e-mail address.
    case email
    /// The telephone number.
    case phone
    /// The gender, as the backend says it.
    case gender
    /// An ISO 8601 date.
    case dateOfBirth = "dob"
    /// The city.
    case homeCity = "home_city"
    /// The user's description of themselves.
    case biography = "bio"
    /// The address of the user's picture.
    case imageURL = "image_url"
    /// `opted_in`, `subscribed` or `unsubscribed`.
    case emailSubscription = "email_subscribe"
    /// `opted_in`, `subscribed` or `unsubscribed`.
    case pushSubscription = "push_subscribe"
}

/// A change of a user; `nil` of an attribute removes it.
public struct UserUpdate: Sendable, Hashable {
    /// The user.
    public var id: UserID
    /// The attributes that the app or backend named.
    public var custom: JSONObject
    /// The attributes with a meaning of their own.
    public var standard: OrderedDictionary<StandardAttribute, JSONValue>

    /// Creates an update; a `null` among the values removes that attribute.
    public init(
        id: UserID,
        custom: JSONObject = [:],
        standard: OrderedDictionary<StandardAttribute, JSONValue> = [:]
    ) {
        self.id = id
        self.custom = custom
        self.standard = standard
    }
}

extension UserProfile {
    /// The value of a standard attribute: what a backend set, or else what the device said.
    public func value(of attribute: StandardAttribute) -> JSONValue? {
        if let value = standard[attribute] { return value }
        switch attribute {
        case .timeZone: return device.timeZone.map(JSONValue.string)
        case .language: return device.locale.flatMap(Self.language).map(JSONValue.string)
        case .country: return device.locale.flatMap(Self.region).map(JSONValue.string)
        default: return nil
        }
    }

    private static func language(of locale: String) -> String? {
        subtags(of: locale).first?.lowercased()
    }

    /// The region of a locale: the one that the user has chosen beside the language, or else the first part after the
    /// language that is two letters long, before any extension.
    private static func region(of locale: String) -> String? {
        if let chosen = chosenRegion(of: locale) { return chosen }
        return subtags(of: locale).dropFirst().prefix { $0.utf8.count > 1 }
            .first { $0.utf8.count == 2 && $0.utf8.allSatisfy(Slug.isLetter) }.map { $0.uppercased() }
    }

    /// The region of a user who reads the language of another one: Apple writes `en_GB@rg=jpzzzz` for British English
    /// in Japan, and BCP 47 has `en-GB-u-rg-jpzzzz`.
    private static func chosenRegion(of locale: String) -> String? {
        let keywords = locale.divided(at: "@")?.behind.split(at: ";") ?? []
        let parts = subtags(of: locale).prefix { $0.lowercased() != "x" }.drop { $0.lowercased() != "u" }
        let extended = zip(parts, parts.dropFirst()).first { $0.0.lowercased() == "rg" }?.1
        guard let value = keywords.lazy.compactMap({ $0.dropping(bytesOf: "rg=") }).first ?? extended,
            value.utf8.count > 2, value.utf8.prefix(2).allSatisfy(Slug.isLetter)
        else { return nil }
        return String(decoding: value.utf8.prefix(2), as: UTF8.self).uppercased()
    }

    /// The parts of a locale, without what POSIX (`ja_JP.UTF-8`) and Apple (`ja_JP@calendar=japanese`) put after them.
    private static func subtags(of locale: String) -> [Substring] {
        locale.prefix(before: "@").prefix(before: ".").split(atAnyOf: "-_")
    }
}
