/// The name by which a backend refers to a user.
public enum UserReference: Sendable, Hashable {
    /// By the user's id.
    case id(UserID)
    /// By an alias.
    case alias(UserAlias)
    /// By the e-mail address in any case of letters, which several users may share.
    case email(String, MatchPreference)
    /// By the telephone number as it was set, which several users may share.
    case phone(String, MatchPreference)
}

extension UserReference {
    /// Returns the user who is meant, or `nil` where there is none or more than one.
    ///
    /// Users whose address a backend set come before those whose device set it, whatever the preference.
    ///
    /// - Parameter candidates: The users who may be meant, as `considered` of a list has them; of an id or an alias
    ///   one at most.
    /// - Returns: The user, or `nil`.
    public func choose(from candidates: [UserMatch]) -> UserID? {
        switch self {
        case .id, .alias: return candidates.first?.id
        case .email(_, let preference), .phone(_, let preference):
            let vouched = candidates.filter { !$0.isClaimed }
            return preference.choose(from: vouched.isEmpty ? candidates : vouched)
        }
    }
}

/// A user who may be the one that is meant.
public struct UserMatch: Sendable, Hashable {
    /// The maximum number of users who are considered for one address.
    ///
    /// An app's key is in the app, so that whoever has it can have any number of users claim an address.
    public static let limit = 100

    /// The user.
    public var id: UserID
    /// The time at which the user's attributes were last changed.
    public var updatedAt: UnixTime
    /// Whether the address by which the user is found is one that a device set last.
    public var isClaimed: Bool

    /// Creates a match.
    public init(id: UserID, updatedAt: UnixTime, isClaimed: Bool = false) {
        self.id = id
        self.updatedAt = updatedAt
        self.isClaimed = isClaimed
    }
}

/// Says which of several users with one e-mail address or telephone number is meant.
///
/// The steps are taken in order, and each leaves fewer. Where more than one user is left in the end, nobody is meant.
public struct MatchPreference: Sendable, Hashable {
    /// One step.
    public enum Step: String, Sendable, CaseIterable {
        /// Leaves users with an id of their own.
        case identified
        /// Leaves users without an id of their own.
        case unidentified
        /// Leaves the one whose attributes were changed last.
        case mostRecentlyUpdated = "most_recently_updated"
        /// Leaves the one whose attributes have been as they are for the longest time.
        case leastRecentlyUpdated = "least_recently_updated"
    }

    /// The steps.
    public let steps: [Step]
    /// Whether users with an id of their own go before all others, without those others being ruled out.
    public let prefersIdentified: Bool

    /// Prefers the users with an id of their own, and of those the one last changed: what is meant where nothing is
    /// said.
    public static let usual = MatchPreference([.mostRecentlyUpdated], prefersIdentified: true)

    /// Creates a preference of steps in their order.
    public init(_ steps: [Step], prefersIdentified: Bool = false) {
        self.steps = steps
        self.prefersIdentified = prefersIdentified
    }

    /// The user who is meant, or `nil` where there is none or more than one.
    public func choose(from matches: [UserMatch]) -> UserID? {
        var left = matches
        if prefersIdentified, left.contains(where: \.id.isIdentified) { left = left.filter(\.id.isIdentified) }
        for step in steps { left = Self.take(step, from: left) }
        return left.count == 1 ? left[0].id : nil
    }

    private static func take(_ step: Step, from matches: [UserMatch]) -> [UserMatch] {
        switch step {
        case .identified: matches.filter(\.id.isIdentified)
        case .unidentified: matches.filter { !$0.id.isIdentified }
        case .mostRecentlyUpdated:
            matches.max { ($0.updatedAt, $0.id) < ($1.updatedAt, $1.id) }
                .map { [$0] } ?? []
        case .leastRecentlyUpdated:
            matches.min { ($0.updatedAt, $0.id) < ($1.updatedAt, $1.id) }
                .map { [$0] } ?? []
        }
    }
}
