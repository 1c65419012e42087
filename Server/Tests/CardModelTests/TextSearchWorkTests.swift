import Testing
import WireJSON

@testable import CardModel

@Suite("The work of looking through attributes")
struct TextSearchWorkTests {
    private func facts(_ text: String) -> UserFacts {
        var profile = UserProfile(id: UserID(rawValue: "ann"), createdAt: 0)
        profile.custom["bio"] = .string(text)
        var facts = UserFacts(UserState(profile: profile), at: 0)
        facts.patterns = .shared(SharedPatternWork())
        return facts
    }

    private func matcher(_ comparison: AttributeClause.Comparison) -> AudienceMatcher {
        AudienceMatcher(.attribute(AttributeClause(.custom("bio"), comparison, "b")))
    }

    @Test("A sync looks through long texts for so long, and then neither finds nor misses anything in them")
    func bounded() {
        let size = 50 << 10
        let facts = facts(String(repeating: "a", count: size - 1) + "b")
        let (contains, lacks) = (matcher(.contains), matcher(.doesNotContain))
        var count = 0
        while count < 10_000, contains.matches(facts) { count += 1 }
        #expect(count == SharedPatternWork.searchLimit / size)
        #expect(!contains.matches(facts) && !lacks.matches(facts))
        // Each sync has as much again.
        let next = self.facts(String(repeating: "a", count: size))
        #expect(!contains.matches(next) && lacks.matches(next))
    }

    @Test("A campaign whose audience took too much work to ask says so, unless something else leaves the user out")
    func explained() throws {
        func bio(_ part: JSONValue) -> Audience { .attribute(AttributeClause(.custom("bio"), .contains, part)) }
        let gold = Audience.attribute(AttributeClause(.custom("plan"), .equals, "gold"))
        let count = SharedPatternWork.searchLimit / (50 << 10)
        var campaigns = try (0...count).map { number in
            try Sample.launched("idle-\(number)", audience: bio("c"))
        }
        campaigns.append(try Sample.launched("late", at: 1, audience: bio("b")))
        campaigns.append(try Sample.launched("other", at: 1, audience: .all([bio("b"), gold])))
        var user = Sample.user()
        user.profile.custom["bio"] = .string(String(repeating: "a", count: (50 << 10) - 1) + "b")
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        let said = catalog.explanations(of: Array(campaigns.suffix(2)), for: user, at: 10)
        #expect(said.map(\.code) == ["search_limit", "audience"])
        #expect(said.first?.audience.matches == true)
        #expect(said.first?.sentence.contains("took more work to find out than a sync has") == true)
        // Alone in the catalog, it is given.
        let alone = Catalog(campaigns: [campaigns[count + 1]], generation: 1)
        #expect(alone.explanations(of: [campaigns[count + 1]], for: user, at: 10).map(\.code) == ["shown"])
    }

    @Test("Short texts are looked through however often, and long ones where no sync waits")
    func free() {
        let short = facts(String(repeating: "a", count: SharedPatternWork.freeBytes - 1) + "b")
        var long = facts(String(repeating: "a", count: 50 << 10) + "b")
        long.patterns = .each
        let contains = matcher(.contains)
        let found = (0..<10_000).count { _ in contains.matches(short) }
        #expect(found == 10_000)
        let all = (0..<200).count { _ in contains.matches(long) }
        #expect(all == 200)
    }
}
