/// An audience made ready to be asked of many users: expressions compiled, segments put in place, the cheap parts first.
///
/// Asking allocates next to nothing and costs some ten nanoseconds a clause, so that a sync can ask it for every campaign.
public struct AudienceMatcher: Sendable {
    /// An answer, and how long it holds.
    public struct Verdict: Sendable, Hashable {
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
        root = MatcherNode(audience, segments: segments, within: [])
    }

    /// What has to be known of a user to answer.
    public var needs: AudienceNeeds { root.needs }

    /// What has to be known of a user's history to answer.
    public var parts: UserHistory.Parts { root.needs.parts }

    /// Whether the user is meant.
    public func matches(_ facts: UserFacts) -> Bool {
        var until = UnixTime.infinity
        return root.holds(facts, &until)
    }

    /// Whether the user is meant, and how long that holds.
    public func verdict(of facts: UserFacts) -> Verdict {
        var until = UnixTime.infinity
        let matches = root.holds(facts, &until)
        return Verdict(matches: matches, until: until.isFinite ? until : nil)
    }

    /// The only users who can be meant, where the audience lists them; `nil` where it does not.
    public var candidates: Set<UserID>? { root.candidates }
}

/// One condition, compiled.
final class MatcherNode: Sendable {
    enum Test: Sendable {
        case everyone
        /// The branches, the cheap ones first.
        case all([MatcherNode])
        case any([MatcherNode])
        case none([MatcherNode])
        case users(Set<UserID>)
        case attribute(AttributeTest)
        case history(HistoryTest)
        case contact(ContactTest)
        case segment(MatcherNode?)
        case bucket(RandomBucket)
    }

    /// The condition as it was given.
    let source: Audience
    /// The branches in the order in which they were given.
    let branches: [MatcherNode]
    let test: Test
    let needs: AudienceNeeds
    private let cost: Int

    init(_ source: Audience, segments: [SegmentID: Audience], within outer: Set<SegmentID>) {
        var branches: [MatcherNode] = []
        switch source {
        case .all(let inner), .any(let inner), .none(let inner):
            branches = inner.map { MatcherNode($0, segments: segments, within: outer) }
        case .segment(let id):
            if let audience = segments[id], !outer.contains(id), outer.count < Audience.maximumDepth {
                branches = [MatcherNode(audience, segments: segments, within: outer.union([id]))]
            }
        default: break
        }
        self.source = source
        self.branches = branches
        (test, cost) = Self.test(source, branches)
        needs = branches.reduce(into: AudienceNeeds(of: source)) { $0.formUnion($1.needs) }
    }

    private static func test(_ source: Audience, _ branches: [MatcherNode]) -> (Test, cost: Int) {
        let cost = branches.reduce(1) { $0 + $1.cost }
        let cheapFirst = branches.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
            .map(\.element)
        switch source {
        case .everyone: return (.everyone, 0)
        case .all: return (.all(cheapFirst), cost)
        case .any: return (.any(cheapFirst), cost)
        case .none: return (.none(cheapFirst), cost)
        case .users(let ids): return (.users(ids), 3)
        case .attribute(let clause):
            let test = AttributeTest(clause)
            return (.attribute(test), test.cost)
        case .history(let clause): return (.history(HistoryTest(clause)), clause.window == nil ? 6 : 12)
        case .contact(let clause): return (.contact(ContactTest(clause)), 10)
        case .segment: return (.segment(branches.first), cost)
        case .bucket(let bucket): return (.bucket(bucket), 2)
        }
    }

    /// Whether the condition holds; brings `until` forward to where that may change by time alone.
    func holds(_ facts: UserFacts, _ until: inout UnixTime) -> Bool {
        switch test {
        case .everyone: return true
        case .all(let branches): return !Self.holds(oneOf: branches, being: false, facts, &until)
        case .any(let branches): return Self.holds(oneOf: branches, being: true, facts, &until)
        case .none(let branches): return !Self.holds(oneOf: branches, being: true, facts, &until)
        case .users(let ids): return ids.contains(facts.profile.id)
        case .attribute(let test): return test.holds(facts, &until)
        case .history(let test): return test.holds(facts, &until)
        case .contact(let test): return test.holds(facts, &until)
        case .segment(let audience): return audience?.holds(facts, &until) ?? false
        case .bucket(let bucket): return bucket.contains(facts.profile.id)
        }
    }

    /// Whether one of the branches gives that answer.
    ///
    /// The first that does decides, and as long as it does the others make no difference; where none does, any of them
    /// may change that.
    private static func holds(
        oneOf branches: [MatcherNode],
        being answer: Bool,
        _ facts: UserFacts,
        _ until: inout UnixTime
    ) -> Bool {
        var earliest = UnixTime.infinity
        for branch in branches {
            var own = UnixTime.infinity
            if branch.holds(facts, &own) == answer {
                until = min(until, own)
                return true
            }
            earliest = min(earliest, own)
        }
        until = min(until, earliest)
        return false
    }

    /// The only users for whom the condition can hold, or `nil` where that cannot be told.
    var candidates: Set<UserID>? {
        switch test {
        case .users(let ids): return ids
        case .all(let branches):
            return branches.compactMap(\.candidates).reduce(nil) { $0?.intersection($1) ?? $1 }
        case .any(let branches):
            var all: Set<UserID> = []
            for branch in branches {
                guard let candidates = branch.candidates else { return nil }
                all.formUnion(candidates)
            }
            return all
        case .segment(let audience): return audience.map(\.candidates) ?? []
        case .everyone, .none, .attribute, .history, .contact, .bucket: return nil
        }
    }
}
