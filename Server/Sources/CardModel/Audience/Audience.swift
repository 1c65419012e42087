public import WireJSON

/// Says who is meant: a tree of conditions on a user.
public indirect enum Audience: Sendable, Hashable {
    /// Everybody.
    case everyone
    /// Users whom every branch means; everybody where there is none.
    case all([Audience])
    /// Users whom at least one branch means; nobody where there is none.
    case any([Audience])
    /// Users whom no branch means.
    case none([Audience])
    /// The users with those ids.
    case users(Set<UserID>)
    /// Users with an attribute that compares so.
    case attribute(AttributeClause)
}

/// A condition on one attribute.
public struct AttributeClause: Sendable, Hashable {
    /// Which attribute.
    public enum Name: Sendable, Hashable {
        case standard(StandardAttribute)
        case custom(String)
    }

    /// How the user's value relates to the clause's.
    public enum Comparison: String, Sendable, CaseIterable {
        case equals
        case notEqual = "not_equal"
        case exists
        case doesNotExist = "does_not_exist"
        case greaterThan = "greater_than"
        case greaterThanOrEqual = "greater_than_or_equal_to"
        case lessThan = "less_than"
        case lessThanOrEqual = "less_than_or_equal_to"
        case includesValue = "includes_value"
        case doesNotIncludeValue = "does_not_include_value"
    }

    /// The attribute.
    public var name: Name
    /// The relation.
    public var comparison: Comparison
    /// What the user's value is compared with; `null` for a comparison that takes none.
    public var value: JSONValue

    /// Makes a clause.
    public init(_ name: Name, _ comparison: Comparison, _ value: JSONValue = .null) {
        self.name = name
        self.comparison = comparison
        self.value = value
    }
}

extension Audience {
    /// Whether the user is meant.
    public func matches(_ user: UserProfile) -> Bool {
        switch self {
        case .everyone: true
        case .all(let branches): branches.allSatisfy { $0.matches(user) }
        case .any(let branches): branches.contains { $0.matches(user) }
        case .none(let branches): !branches.contains { $0.matches(user) }
        case .users(let ids): ids.contains(user.id)
        case .attribute(let clause): clause.matches(user)
        }
    }
}

extension AttributeClause {
    /// Whether the user's attribute compares as the clause says.
    ///
    /// A user without the attribute is different from every value and matches no other comparison with one.
    public func matches(_ user: UserProfile) -> Bool {
        let found: JSONValue? =
            switch name {
            case .standard(let attribute): user.value(of: attribute)
            case .custom(let name): user.custom[name]
            }
        guard let found else {
            return [.notEqual, .doesNotExist, .doesNotIncludeValue].contains(comparison)
        }
        return compares(found)
    }

    private func compares(_ found: JSONValue) -> Bool {
        switch comparison {
        case .exists: true
        case .doesNotExist: false
        case .equals: Self.areEqual(found, value)
        case .notEqual: !Self.areEqual(found, value)
        case .includesValue: found.array?.contains { Self.areEqual($0, value) } ?? false
        case .doesNotIncludeValue: !(found.array?.contains { Self.areEqual($0, value) } ?? false)
        case .greaterThan: order(found) { $0 > $1 }
        case .greaterThanOrEqual: order(found) { $0 >= $1 }
        case .lessThan: order(found) { $0 < $1 }
        case .lessThanOrEqual: order(found) { $0 <= $1 }
        }
    }

    private static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if let left = left.double, let right = right.double { return left == right }
        return left == right
    }

    /// Compares numbers, or else points in time; other values have no order.
    private func order(_ found: JSONValue, _ holds: (Double, Double) -> Bool) -> Bool {
        if let left = found.double, let right = value.double { return holds(left, right) }
        guard let left = Timestamp.unixTime(of: found), let right = Timestamp.unixTime(of: value) else { return false }
        return holds(left, right)
    }
}
