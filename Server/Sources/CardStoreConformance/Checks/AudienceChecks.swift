import CardModel
import CardStore
import Simulation
import Testing
import WireJSON

/// Checks that what an audience means to the matcher, to the store and to a naive reference agrees.
enum AudienceChecks {
    static let checks: [ConformanceCheck] = (1...4).map { seed in
        ConformanceCheck(
            "Random audiences mean the same users to the matcher, to the store's reach and to a naive "
                + "reference (\(seed))"
        ) { try await agree($0, seed: seed) }
    }

    /// The number of trees that are tried for each seed.
    private static let trees = 100
    private static let users = 40

    private static func agree(_ stores: any StoreFactory, seed: UInt64) async throws {
        try await stores.withStore { store in
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
            // Trees that mean all users or none would prove little.
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
                content: Segment.SegmentContent(name: name, audience: try Audience(json: json)),
                createdAt: noon
            )
            try await store.insertSegment(segment, by: command)
            segments[segment.id] = (segment.content.audience, json)
        }
        #expect(try await store.segmentAudiences() == segments.mapValues(\.audience))
        return segments
    }
}
