import Statistics
import Testing
import WireJSON

@testable import CardModel

/// Compares matchers, candidates and explanations with a plain reading of the audience.
@Suite("Audiences and their model")
struct AudienceModelTests {
    private static let names = ["u0", "u1", "u2", "u3", "u4", "u5"]
    private static let plans: [JSONValue?] = ["gold", "silver", nil, 5, "gold", true]
    private static let known = SegmentID(rawValue: "known")
    private static let outer = SegmentID(rawValue: "outer")
    private static let missing = SegmentID(rawValue: "missing")

    private static let users: [UserFacts] = zip(names, plans).map { name, plan in
        var profile = UserProfile(id: UserID(rawValue: name), createdAt: 0)
        profile.custom["plan"] = plan
        return Sample.facts(profile)
    }

    private func audience(depth: Int, _ segments: [SegmentID], _ random: inout SplitMix) -> Audience {
        func branches(_ random: inout SplitMix) -> [Audience] {
            var branches: [Audience] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                branches.append(audience(depth: depth - 1, segments, &random))
            }
            return branches
        }
        switch Int.random(in: depth > 0 ? 0...8 : 3...8, using: &random) {
        case 0: return .all(branches(&random))
        case 1: return .any(branches(&random))
        case 2: return .none(branches(&random))
        case 3, 4:
            let listed = Self.names.filter { _ in Int.random(in: 0...2, using: &random) == 0 }
            return .users(Set(listed.map(UserID.init(rawValue:))))
        case 5:
            let comparison: AttributeClause.Comparison = Bool.random(using: &random) ? .equals : .notEqual
            return .attribute(AttributeClause(.custom("plan"), comparison, "gold"))
        case 6: return .attribute(AttributeClause(.custom("plan"), .isAnyOf, ["silver", 5]))
        case 7: return segments.randomElement(using: &random).map(Audience.segment) ?? .everyone
        default: return Bool.random(using: &random) ? .everyone : .bucket(RandomBucket(0...4_999))
        }
    }

    /// Whether a user is meant, asked in the plainest way.
    private func isMeant(_ user: UserFacts, _ audience: Audience, _ segments: [SegmentID: Audience]) -> Bool {
        let plan = user.profile.custom["plan"]
        switch audience {
        case .everyone: return true
        case .all(let branches): return !branches.contains { !isMeant(user, $0, segments) }
        case .any(let branches): return branches.contains { isMeant(user, $0, segments) }
        case .none(let branches): return !branches.contains { isMeant(user, $0, segments) }
        case .users(let ids): return ids.contains(user.profile.id)
        case .segment(let id): return segments[id].map { isMeant(user, $0, segments) } ?? false
        case .bucket(let bucket): return bucket.range.contains(RandomBucket.number(of: user.profile.id))
        case .attribute(let clause):
            switch clause.comparison {
            case .equals: return plan == "gold"
            case .notEqual: return plan != "gold"
            default: return plan == "silver" || plan == 5
            }
        case .history, .contact: return false
        }
    }

    private func world(_ random: inout SplitMix) -> (Audience, [SegmentID: Audience]) {
        var segments: [SegmentID: Audience] = [:]
        segments[Self.known] = audience(depth: 2, [Self.missing], &random)
        segments[Self.outer] = audience(depth: 2, [Self.known, Self.missing], &random)
        return (audience(depth: 3, [Self.known, Self.outer, Self.missing], &random), segments)
    }

    @Test("Who is meant is who the tree says, however its branches are ordered", arguments: 0..<20)
    func matches(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        for _ in 0..<100 {
            let (audience, segments) = world(&random)
            let matcher = AudienceMatcher(audience, segments: segments)
            for user in Self.users {
                let expected = isMeant(user, audience, segments)
                #expect(matcher.matches(user) == expected, "\(audience.json.text) of \(user.profile.id.rawValue)")
                #expect(matcher.answer(of: user) == AudienceMatcher.Answer(matches: expected, until: nil))
            }
        }
    }

    @Test("Whoever is meant is among the candidates, where there are any", arguments: 0..<20)
    func candidates(seed: Int) {
        var random = SplitMix(seed: UInt64(200 + seed))
        var found = 0
        for _ in 0..<150 {
            let (audience, segments) = world(&random)
            let matcher = AudienceMatcher(audience, segments: segments)
            guard let candidates = matcher.candidates else { continue }
            found += 1
            let meant = Self.users.filter { isMeant($0, audience, segments) }.map(\.profile.id)
            #expect(Set(meant).isSubset(of: candidates), "\(audience.json.text)")
        }
        #expect(found > 10)
    }

    @Test(
        "An explanation agrees with the matcher in every branch, and its reasons are of the same opinion",
        arguments: 0..<10
    )
    func explanations(seed: Int) {
        var random = SplitMix(seed: UInt64(400 + seed))
        for _ in 0..<60 {
            let (audience, segments) = world(&random)
            let matcher = AudienceMatcher(audience, segments: segments)
            for user in Self.users {
                let explanation = matcher.explanation(of: user)
                #expect(explanation.matches == matcher.matches(user))
                #expect(explanation.summary == audience.summary && explanation.path == "audience")
                check(explanation)
                #expect(explanation.reasons.allSatisfy { $0.branches.isEmpty })
            }
        }
    }

    /// Checks that a branch's answer follows from those of its own branches.
    private func check(_ explanation: AudienceExplanation) {
        let answers = explanation.branches.map(\.matches)
        switch explanation.condition {
        case "all": #expect(explanation.matches == answers.allSatisfy(\.self))
        case "any": #expect(explanation.matches == answers.contains(true))
        case "none": #expect(explanation.matches == !answers.contains(true))
        case "segment":
            #expect(explanation.matches == (answers.first ?? false))
            #expect((explanation.note == .segmentUnknown) == answers.isEmpty)
        case "everyone": #expect(explanation.matches && explanation.clause == nil)
        default: #expect(explanation.branches.isEmpty && explanation.clause != nil)
        }
        for branch in explanation.branches {
            #expect(branch.path.hasPrefix(explanation.path) && branch.path != explanation.path)
            check(branch)
        }
    }

    @Test("A random audience reads back as it was written, and names its segments", arguments: 0..<10)
    func readsBack(seed: Int) throws {
        var random = SplitMix(seed: UInt64(600 + seed))
        for _ in 0..<100 {
            let (audience, segments) = world(&random)
            let text = audience.json.text
            #expect(try Audience(json: JSONValue(parsing: text)) == audience, "\(text)")
            #expect(audience.segments.contains(Self.missing) == text.contains(#""missing""#))
            let reaches = audience.reaches(Self.missing, through: segments)
            let errors = audience.segmentErrors(in: segments)
            #expect(reaches || errors.isEmpty)
            #expect(errors.isEmpty == !audience.segments.contains(Self.missing))
            #expect(errors.allSatisfy { $0.code == .segmentUnknown && $0.path.hasSuffix(".segment") })
        }
    }

    @Test("Users by id are what an audience can be counted by, as far as every way into it lists them")
    func listed() {
        let (one, two): (Audience, Audience) = (.users(["u1"].ids), .users(["u1", "u2"].ids))
        let gold = Audience.attribute(AttributeClause(.custom("plan"), .equals, "gold"))
        func candidates(_ audience: Audience) -> Set<UserID>? { AudienceMatcher(audience).candidates }
        #expect(candidates(.everyone) == nil && candidates(gold) == nil && candidates(.none([one])) == nil)
        #expect(candidates(one) == ["u1"].ids && candidates(.users([])) == [])
        #expect(candidates(.all([two, gold])) == ["u1", "u2"].ids)
        #expect(candidates(.all([one, two])) == ["u1"].ids && candidates(.all([])) == nil)
        #expect(candidates(.any([one, two])) == ["u1", "u2"].ids && candidates(.any([])) == [])
        #expect(candidates(.any([one, gold])) == nil)
        #expect(candidates(.segment(Self.missing)) == [])
        let segments = [Self.known: Audience.all([two, gold])]
        #expect(AudienceMatcher(.segment(Self.known), segments: segments).candidates == ["u1", "u2"].ids)
    }
}

extension [String] {
    fileprivate var ids: Set<UserID> { Set(map(UserID.init(rawValue:))) }
}
