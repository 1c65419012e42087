/// An audience made ready to be asked of many users: expressions compiled, segments put in place, the cheap parts
/// first.
///
/// Asking allocates next to nothing and costs some ten nanoseconds a clause, so that a sync can ask it for every
/// campaign.
public struct AudienceMatcher: Sendable {
    /// An answer, and how long it holds.
    public struct Answer: Sendable, Hashable {
        /// Whether the user is meant.
        public var matches: Bool
        /// The moment from which on the answer may be another although nothing has happened, or `nil` for never.
        ///
        /// It may turn out to be the same then; it is not another before.
        public var until: UnixTime?
    }

    /// The audience as it was given.
    public let audience: Audience
    let root: MatcherNode

    /// Compiles an audience.
    ///
    /// - Parameters:
    ///   - audience: The audience.
    ///   - segments: The saved segments. One that is not among them, or that is part of itself, means nobody.
    public init(_ audience: Audience, segments: [SegmentID: Audience] = [:]) {
        self.audience = audience
        var compiler = MatcherCompiler(segments: segments)
        root = compiler.compile(audience)
    }

    /// The needs of the matcher: what it reads of a user to answer.
    public var needs: AudienceNeeds { root.needs }

    /// The parts of a user's history that are needed to answer.
    public var parts: UserHistory.Parts { root.needs.parts }

    /// Whether the user is meant.
    public func matches(_ facts: UserFacts) -> Bool {
        var until = UnixTime.infinity
        return root.holds(facts, &until)
    }

    /// Whether the user is meant, and how long that holds.
    public func answer(of facts: UserFacts) -> Answer {
        var until = UnixTime.infinity
        let matches = root.holds(facts, &until)
        return Answer(matches: matches, until: until.isFinite ? until : nil)
    }

    /// The only users who can be meant, where the audience lists them; `nil` where it does not.
    public var candidates: Set<UserID>? { root.candidates }
}
