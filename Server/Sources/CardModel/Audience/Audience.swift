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
        /// One with a meaning of its own.
        case standard(StandardAttribute)
        /// One that the app or backend named.
        case custom(String)
    }

    /// How the user's value relates to the clause's.
    public enum Comparison: String, Sendable, CaseIterable {
        /// It is the same; numbers are compared as numbers, texts with their case.
        case equals
        /// It is another, or there is none.
        case notEqual = "not_equal"
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
        case .greaterThan: order(of: found) == .greater
        case .greaterThanOrEqual: [.greater, .same].contains(order(of: found))
        case .lessThan: order(of: found) == .less
        case .lessThanOrEqual: [.less, .same].contains(order(of: found))
        }
    }

    private static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        // Two whole numbers are compared as such: as doubles, ids of 17 digits would equal their neighbours.
        if case .integer = left, case .integer = right { return left == right }
        if let left = left.double, let right = right.double { return left == right }
        return left == right
    }

    private enum Order {
        case less
        case same
        case greater

        init<Value: Comparable>(_ left: Value, _ right: Value) {
            self = left < right ? .less : left > right ? .greater : .same
        }
    }

    /// Compares numbers, or else points in time; other values have no order.
    private func order(of found: JSONValue) -> Order? {
        if case .integer(let left) = found, case .integer(let right) = value { return Order(left, right) }
        guard let left = Timestamp.moment(of: found), let right = Timestamp.moment(of: value) else { return nil }
        return Order(left, right)
    }
}
