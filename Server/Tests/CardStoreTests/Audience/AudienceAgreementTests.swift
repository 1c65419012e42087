import CardModel
import CardStore
import Simulation
import Testing
import WireJSON

@Suite("Audiences: matcher, store and reference agree")
struct AudienceAgreementTests {
    /// How many trees are tried for each seed, over how many users.
    private static let trees = 100
    private static let users = 40

    @Test(
        "Random audiences mean the same users to the matcher, to the store's reach and to a naive reference",
        arguments: StoreUnderTest.allCases,
        [1, 2, 3, 4] as [UInt64]
    )
    func agree(_ kind: StoreUnderTest, seed: UInt64) async throws {
        try await kind.withStore { store in
            var random = SeededRandom(seed: seed)
            let people = (0..<Self.users).map { RandomPerson(number: $0, using: &random) }
            for person in people { try await person.save(in: store) }
            let segments = try await Self.saveSegments(in: store, using: &random)
            var meant = 0
            for _ in 0..<Self.trees {
                let json = RandomAudience.tree(depth: 3, using: &random)
                let audience = try Audience(json: json)
                #expect(try Audience(json: JSONValue(parsing: audience.json.text)) == audience)
                let matcher = AudienceMatcher(audience, segments: segments.mapValues(\.audience))
                let reference = NaiveAudience(now: noon, segments: segments.mapValues(\.json))
                var expected: Int64 = 0
                for person in people {
                    let isMeant = reference.means(person, json)
                    let state = try #require(try await store.userState(of: person.id, including: matcher.parts))
                    let facts = UserFacts(state, at: noon, workspaceZone: NaiveAudience.workspaceZone)
                    #expect(matcher.matches(facts) == isMeant, "\(json.text) for \(person)")
                    #expect(matcher.explanation(of: facts).matches == isMeant)
                    if isMeant { expected += 1 }
                }
                let reach = try await store.audienceReach(of: matcher, at: noon, exactly: false)
                #expect(
                    (reach.users, reach.isExact, reach.total) == (expected, true, Int64(people.count)),
                    "\(json.text)"
                )
                meant += Int(expected)
            }
            // Trees that mean everybody or nobody would prove little.
            #expect((0.1...0.9).contains(Double(meant) / Double(Self.trees * Self.users)))
        }
    }

    private static func saveSegments(
        in store: any CardStore,
        using random: inout SeededRandom
    ) async throws -> [SegmentID: (audience: Audience, json: JSONValue)] {
        var settings = Settings()
        settings.timeZone = NaiveAudience.workspaceZone
        try await store.saveSettings(settings, at: noon, by: command)
        var segments: [SegmentID: (audience: Audience, json: JSONValue)] = [:]
        for name in RandomAudience.segments.dropLast() {
            let json = RandomAudience.leaf(using: &random)
            let segment = Segment(
                id: SegmentID(rawValue: name),
                content: Segment.Content(name: name, audience: try Audience(json: json)),
                createdAt: noon
            )
            try await store.insertSegment(segment, by: command)
            segments[segment.id] = (segment.content.audience, json)
        }
        #expect(try await store.segmentAudiences() == segments.mapValues(\.audience))
        return segments
    }

    @Test(
        "Between two moments that a verdict tells, the answer stays",
        arguments: [11, 12, 13, 14] as [UInt64]
    )
    func verdictsHold(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var changes = 0
        for number in 0..<120 {
            let person = RandomPerson(number: number, using: &random)
            let json = RandomAudience.passing(using: &random)
            let matcher = AudienceMatcher(try Audience(json: json))
            var state = person.state
            state.profile.lastSeenAt = nil
            func verdict(_ time: UnixTime) -> AudienceMatcher.Verdict {
                matcher.verdict(of: UserFacts(state, at: time, workspaceZone: NaiveAudience.workspaceZone))
            }
            var now = noon - 86_400
            while now < noon + 14 * 86_400 {
                let answer = verdict(now)
                let until = min(answer.until ?? .infinity, now + 30 * 86_400)
                #expect(until > now)
                for _ in 0..<3 {
                    let between = Double.random(in: now..<until, using: &random)
                    #expect(verdict(between).matches == answer.matches, "\(json.text) from \(now) at \(between)")
                }
                if verdict(until).matches != answer.matches { changes += 1 }
                now = until
            }
        }
        #expect(changes > 5, "Answers that never change would prove little.")
    }
}
