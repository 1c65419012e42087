import WireJSON

/// A filter, compiled, so that a sync can ask it for every campaign.
protocol FilterTest: Sendable {
    /// The cost of asking beside other tests: a few for a comparison, 30 for a regular expression.
    var cost: Int { get }
    /// The requirements of which a user has to meet one for the filter to hold, or `nil` where that can't be told.
    var requirements: Set<AudienceRequirement>? { get }
    /// The only users that the filter can hold for, or `nil` where that can't be told.
    var candidates: Set<UserID>? { get }

    /// Returns whether the filter holds; brings `until` forward to where that may change by time alone.
    func holds(_ facts: UserFacts, _ until: inout UnixTime) -> Bool
    /// Returns what the filter compares: an attribute, a count, a time; `nil` for nothing.
    func found(_ facts: UserFacts) -> JSONValue?
}

extension FilterTest {
    var requirements: Set<AudienceRequirement>? { nil }
    var candidates: Set<UserID>? { nil }
}
