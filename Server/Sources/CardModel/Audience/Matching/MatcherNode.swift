/// Compiles audiences, each segment once.
struct MatcherCompiler {
    private let segments: [SegmentID: Audience]
    private var compiled: [SegmentID: MatcherNode] = [:]
    /// The segments that are being compiled: one that is met again leads back to itself.
    private var open: Set<SegmentID> = []

    init(segments: [SegmentID: Audience]) { self.segments = segments }

    mutating func compile(_ audience: Audience) -> MatcherNode {
        switch audience.structure {
        case .all(let inner), .any(let inner), .none(let inner):
            MatcherNode(audience, branches: inner.map { compile($0) })
        case .segment(let id): MatcherNode(audience, branches: compile(id).map { [$0] } ?? [])
        case .everyone, .filter: MatcherNode(audience, branches: [])
        }
    }

    private mutating func compile(_ id: SegmentID) -> MatcherNode? {
        if let known = compiled[id] { return known }
        guard let audience = segments[id], open.insert(id).inserted else { return nil }
        defer { open.remove(id) }
        let node = compile(audience)
        compiled[id] = node
        return node
    }
}

/// One condition, compiled.
final class MatcherNode: Sendable {
    enum Test: Sendable {
        case everyone
        /// The branches, the cheap ones first.
        case all([MatcherNode])
        case any([MatcherNode])
        case none([MatcherNode])
        case segment(MatcherNode?)
        case filter(any FilterTest)
    }

    /// The condition as it was given.
    let source: Audience
    /// The branches in the order in which they were given.
    let branches: [MatcherNode]
    let test: Test
    let needs: AudienceNeeds
    /// The requirements of which a user has to have one for the condition to hold, or `nil` where that can't be told.
    let requirements: Set<AudienceRequirement>?
    // bounded: what is nested deep is held to a million
    private let cost: Int

    init(_ source: Audience, branches: [MatcherNode]) {
        self.source = source
        self.branches = branches
        (test, cost) = Self.test(source, branches)
        requirements = test.requirements
        let own = if case .filter(let filter) = source.structure { filter.needs } else { AudienceNeeds() }
        needs = branches.reduce(into: own) { $0.formUnion($1.needs) }
    }

    private static func test(_ source: Audience, _ branches: [MatcherNode]) -> (Test, cost: Int) {
        // What is nested this deep is dear, however dear.
        let cost = branches.reduce(1) { min($0 + $1.cost, 1_000_000) }
        let cheapFirst = branches.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
            .map(\.element)
        switch source.structure {
        case .everyone: return (.everyone, 0)
        case .all: return (.all(cheapFirst), cost)
        case .any: return (.any(cheapFirst), cost)
        case .none: return (.none(cheapFirst), cost)
        case .segment: return (.segment(branches.first), cost)
        case .filter(let filter):
            let test = filter.test
            return (.filter(test), test.cost)
        }
    }

    /// Whether the condition holds; brings `until` forward to where that may change by time alone.
    func holds(_ facts: UserFacts, _ until: inout UnixTime) -> Bool {
        switch test {
        case .everyone: return true
        case .all(let branches): return !Self.holds(oneOf: branches, being: false, facts, &until)
        case .any(let branches): return Self.holds(oneOf: branches, being: true, facts, &until)
        case .none(let branches):
            let refusals = facts.patterns.refusals
            // A branch that took too much work to ask may hold.
            return !Self.holds(oneOf: branches, being: true, facts, &until) && facts.patterns.refusals == refusals
        case .segment(let audience): return audience?.holds(facts, &until) ?? false
        case .filter(let test): return test.holds(facts, &until)
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

    /// The only users for which the condition can hold, or `nil` where that cannot be told.
    var candidates: Set<UserID>? {
        switch test {
        case .filter(let test): return test.candidates
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
        case .everyone, .none: return nil
        }
    }
}
