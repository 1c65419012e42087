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
