public import WireJSON

/// A condition on one attribute.
///
/// Values compare by their kind, without conversion: the text `"41"` is not the number 41. Texts are compared with
/// their case. Where the user has no such attribute, or one of another kind, the comparisons that say *not* hold and
/// all others do not.
public struct AttributeClause: Sendable, Hashable {
    /// The name of an attribute.
    public enum Name: Sendable, Hashable {
        /// One with a meaning of its own.
        case standard(StandardAttribute)
        /// One that the server keeps by itself.
        case system(SystemAttribute)
        /// One that the app or backend named.
        case custom(ByteString)
    }

    /// An attribute that the server itself keeps of a user, by its name on the wire.
    public enum SystemAttribute: String, Sendable, CaseIterable {
        /// The id, as a text.
        case userID = "user_id"
        /// The time at which the store first heard of the user, from a device or a backend.
        case createdAt = "created_at"
        /// The time at which a device of the user was first heard of.
        case firstSeenAt = "first_seen_at"
        /// The time at which a device of the user was last heard of, before the present sync.
        case lastSeenAt = "last_seen_at"
        /// The version of the app; *greater* and *less* compare its numbers, so that 2.10 comes after 2.9.
        case appVersion = "app_version"
        /// The device's locale, such as `ja-JP`.
        case locale
    }

    /// The relation of the user's value to the clause's.
    public enum Comparison: String, Sendable, CaseIterable {
        /// It is the same; numbers are compared as numbers, texts with their case.
        case equals
        /// It is another, or there is none.
        case notEqual = "not_equal"
        /// It is one of several.
        case isAnyOf = "is_any_of"
        /// It is none of several, or there is none.
        case isNoneOf = "is_none_of"
        /// There is one.
        case exists
        /// There is none.
        case doesNotExist = "does_not_exist"
        /// It is a larger number or a later time.
        case greaterThan = "greater_than"
        /// It is no smaller number and no earlier time.
        case greaterThanOrEqual = "greater_than_or_equal_to"
        /// It is a smaller number or an earlier time.
        case lessThan = "less_than"
        /// It is no larger number and no later time.
        case lessThanOrEqual = "less_than_or_equal_to"
        /// It is an array that has the value.
        case includesValue = "includes_value"
        /// It is no array that has the value, or there is none.
        case doesNotIncludeValue = "does_not_include_value"
        /// It is a text with the value somewhere in it.
        case contains
        /// It is no text with the value in it, or there is none.
        case doesNotContain = "does_not_contain"
        /// It is a text of which some part matches; see ``TextPattern``.
        case matchesRegex = "matches_regex"
        /// It is no text of which a part matches, or there is none.
        case doesNotMatchRegex = "does_not_match_regex"
        /// It is an earlier time.
        case before
        /// It is a later time.
        case after
        /// It is a time that has passed, by less than that many days of 24 hours.
        case lessThanDaysAgo = "less_than_x_days_ago"
        /// It is a time that passed that many days ago, or more.
        case greaterThanDaysAgo = "greater_than_x_days_ago"
        /// It is a time to come within that many days.
        case lessThanDaysAhead = "less_than_x_days_in_the_future"
        /// It is a time to come after more than that many days.
        case greaterThanDaysAhead = "greater_than_x_days_in_the_future"
    }

    /// The attribute.
    public var name: Name
    /// The relation.
    public var comparison: Comparison
    /// The value that the user's is compared with; `null` for a comparison that takes none.
    public var value: JSONValue

    /// Creates a clause.
    public init(_ name: Name, _ comparison: Comparison, _ value: JSONValue = .null) {
        self.name = name
        self.comparison = comparison
        self.value = value
    }
}

extension AttributeClause.Name {
    /// Takes a name on the wire, in which the server's own names win over custom ones.
    public init(_ text: String) {
        if let attribute = StandardAttribute(rawValue: text) {
            self = .standard(attribute)
        } else if let attribute = AttributeClause.SystemAttribute(rawValue: text) {
            self = .system(attribute)
        } else {
            self = .custom(ByteString(text))
        }
    }
}

extension UserProfile {
    /// The value of an attribute, or `nil` where there is none.
    public func value(of name: AttributeClause.Name) -> JSONValue? {
        switch name {
        case .standard(let attribute): value(of: attribute)
        case .custom(let name): custom[name.text]
        case .system(let attribute): value(of: attribute)
        }
    }

    private func value(of attribute: AttributeClause.SystemAttribute) -> JSONValue? {
        switch attribute {
        case .userID: .string(id.rawValue)
        case .createdAt: .number(createdAt)
        case .firstSeenAt: firstSeenAt.map(JSONValue.number)
        case .lastSeenAt: lastSeenAt.map(JSONValue.number)
        case .appVersion: device.appVersion.map(JSONValue.string)
        case .locale: device.locale.map(JSONValue.string)
        }
    }
}

extension AttributeClause.Name {
    /// The name on the wire.
    package var text: String {
        switch self {
        case .standard(let attribute): attribute.rawValue
        case .system(let attribute): attribute.rawValue
        case .custom(let name): name.text
        }
    }
}
