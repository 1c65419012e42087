import WireJSON

/// Something that a user has or has not, and without which an audience can't mean them.
enum AudienceRequirement: Hashable, Sendable {
    /// The user's id.
    case user(UserID)
    /// An attribute with a value; numbers as doubles, since they are compared across their kinds.
    case value(AttributeClause.Name, JSONValue)
    /// An attribute, whatever its value.
    case attribute(AttributeClause.Name)
    /// A card of a campaign.
    case card(CampaignID)
    /// A trigger of a campaign.
    case trigger(CampaignID)

    /// Longer lists of alternatives aren't kept; such an audience is asked like one that requires nothing.
    static let limit = 1_000

    /// The number of users who have it, as a guess: what they have with any value is more common than one value.
    var commonness: Int {
        if case .attribute = self { 1_000 } else { 1 }
    }

    /// Returns the requirement of a value, or `nil` for one that is compared in other ways.
    static func value(of name: AttributeClause.Name, _ value: JSONValue) -> Self? {
        switch value {
        case .string, .bool: .value(name, value)
        case .integer, .number, .decimal: value.double.map { .value(name, .number($0)) }
        case .null, .array, .object: nil
        }
    }
}

extension MatcherNode.Test {
    /// The requirements of which a user has to have one for the condition to hold, or `nil` where that can't be told.
    var requirements: Set<AudienceRequirement>? {
        switch self {
        case .everyone, .none: nil
        case .filter(let test): test.requirements
        case .segment(let audience): audience.map(\.requirements) ?? []
        case .all(let branches):
            branches.compactMap(\.requirements).min { Self.commonness($0) < Self.commonness($1) }
        case .any(let branches): Self.union(branches)
        }
    }

    private static func commonness(_ requirements: Set<AudienceRequirement>) -> Int {
        requirements.reduce(0) { $0 + $1.commonness }
    }

    private static func union(_ branches: [MatcherNode]) -> Set<AudienceRequirement>? {
        var all: Set<AudienceRequirement> = []
        for branch in branches {
            guard let requirements = branch.requirements else { return nil }
            all.formUnion(requirements)
            guard all.count <= AudienceRequirement.limit else { return nil }
        }
        return all
    }
}
