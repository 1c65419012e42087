import Testing
import WireJSON

@testable import CardModel

@Suite("The work of looking through attributes, histories and cards")
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

    @Test("An expression that takes too much work decides nothing where no sync waits either")
    func expressions() {
        var facts = facts(String(repeating: "a", count: 20_000))
        facts.patterns = .each
        func bio(_ comparison: AttributeClause.Comparison, _ value: JSONValue) -> Audience {
            .attribute(AttributeClause(.custom("bio"), comparison, value))
        }
        let refused = bio(.matchesRegex, "(a?){200}b")
        let others = [bio(.doesNotMatchRegex, "(a?){200}b"), .none([refused]), .none([.none([refused])])]
        for audience in [refused] + others { #expect(!AudienceMatcher(audience).matches(facts)) }
        #expect(!AudienceMatcher(.all([.everyone, .none([refused])])).matches(facts))
        // What else is asked of the user is known as before.
        #expect(AudienceMatcher(.any([.none([refused]), bio(.contains, "a")])).matches(facts))
        #expect(AudienceMatcher(.none([bio(.contains, "z")])).matches(facts))
        #expect(AudienceMatcher(.none([bio(.matchesRegex, "^b")])).matches(facts))
    }

    @Test("A choice of values asks for no text that is longer than all, and for others as long as there is work")
    func choices() {
        let size = 50 << 10
        let text = String(repeating: "a", count: size)
        let facts = facts(text)
        func matcher(_ comparison: AttributeClause.Comparison, _ value: JSONValue) -> AudienceMatcher {
            AudienceMatcher(.attribute(AttributeClause(.custom("bio"), comparison, [value])))
        }
        let short = matcher(.isNoneOf, "b")
        let free = (0..<10_000).count { _ in short.matches(facts) }
        #expect(free == 10_000)
        let long = matcher(.isAnyOf, .string(text))
        #expect(answers(of: long, facts) == SharedPatternWork.searchLimit / size)
        #expect(!long.matches(facts) && !matcher(.isNoneOf, .string(text)).matches(facts) && short.matches(facts))
    }

    @Test("A time with thousands of digits is read as long as there is work")
    func digits() {
        let text = "2026-01-01T00:00:00." + String(repeating: "0", count: 50 << 10)
        let facts = facts(text)
        let before = AudienceMatcher(.attribute(AttributeClause(.custom("bio"), .before, 4e9)))
        #expect(answers(of: before, facts) == SharedPatternWork.searchLimit / text.utf8.count)
    }

    @Test("The values of long arrays are looked at as long as there is work, and fractions take more of it")
    func arrays() {
        func facts() -> UserFacts {
            var facts = self.facts("")
            facts.profile.custom["bio"] = .array((0..<10_000).map { JSONValue.integer(Int64($0)) })
            return facts
        }
        func matcher(_ comparison: AttributeClause.Comparison, _ value: JSONValue) -> AudienceMatcher {
            AudienceMatcher(.attribute(AttributeClause(.custom("bio"), comparison, value)))
        }
        let spent = facts()
        #expect(answers(of: matcher(.includesValue, 9_999), spent) == SharedPatternWork.stepLimit / 10_000)
        #expect(!matcher(.includesValue, 1).matches(spent) && !matcher(.doesNotIncludeValue, -1).matches(spent))
        #expect(answers(of: matcher(.doesNotIncludeValue, 0.5), facts()) == SharedPatternWork.stepLimit / 160_000)
    }

    @Test("Purchases are looked at as long as there is work")
    func purchases() {
        var facts = facts("")
        facts.now = 100
        for number in 0..<2_000 {
            let product = UserHistory.Product(id: "\(number)", currency: "EUR")
            facts.history.purchases[product] = PurchaseRecord(of: 1, at: 10)
        }
        func matcher(_ clause: HistoryClause) -> AudienceMatcher { AudienceMatcher(.history(clause)) }
        let recent = HistoryClause(.purchase(product: nil), .count, .greaterThan, 1, within: .days(30))
        // Each purchase, and each of their times.
        #expect(answers(of: matcher(recent), facts) == SharedPatternWork.stepLimit / 4_000)
        let ever = HistoryClause(.purchase(product: "nothing"), .count, .equals, 0)
        #expect(!matcher(ever).matches(facts))
        #expect(matcher(HistoryClause(.event("nothing"), .count, .equals, 0)).matches(facts))
    }

    @Test("Cards are looked up by their campaign, and those of one as long as there is work")
    func cards() {
        func facts(_ campaign: (Int) -> String) -> UserFacts {
            var facts = self.facts("")
            facts.cardPlaces = CardPlaces()
            facts.deliveries = (0..<3_000).map { number in
                Delivery(
                    card: CardID(rawValue: "\(number)"),
                    campaign: CampaignID(rawValue: campaign(number)),
                    ordinal: 0,
                    variant: VariantID(rawValue: "a"),
                    deliveredAt: 0
                )
            }
            return facts
        }
        func matcher(_ campaign: String) -> AudienceMatcher {
            AudienceMatcher(.contact(ContactClause(.received, CampaignID(rawValue: campaign))))
        }
        let many = facts { "\($0)" }
        let found = (0..<3_000).count { matcher("\($0)").matches(many) }
        #expect(found == 3_000 && !matcher("3000").matches(many))
        #expect(answers(of: matcher("c"), facts { _ in "c" }) == SharedPatternWork.stepLimit / 3_000)
    }

    @Test("What took too much work to ask leaves users out where none of it may hold, too")
    func none() {
        let facts = facts(String(repeating: "a", count: 50 << 10))
        let none = AudienceMatcher(.none([.attribute(AttributeClause(.custom("bio"), .contains, "b"))]))
        #expect(answers(of: none, facts) == SharedPatternWork.searchLimit / (50 << 10))
        #expect(!none.matches(facts) && !none.explanation(of: facts).matches)
        #expect(!AudienceMatcher(.none([none.audience])).explanation(of: facts).matches)
    }

    @Test("Cards that were given are asked for once, however many others a cap and the limit leave out by turns")
    func limits() throws {
        let bio = Audience.attribute(AttributeClause(.custom("bio"), .contains, "b"))
        var first = Sample.variant("a")
        first.card?.priority = 1
        let rules = Campaign.Rules(followsAudience: true)
        let given = try ["x", "y"].map { try Sample.launched($0, audience: bio, variants: [first], rules: rules) }
        let others = try (0..<200).map { try Sample.launched("other-\($0)", at: 1) }
        var settings = Settings()
        (settings.cardLimit, settings.frequencyCaps) = (2, [FrequencyCap(cards: 1, days: 1)])
        let catalog = Catalog(campaigns: given + others, generation: 1, settings: settings)
        var user = Sample.user()
        user.profile.custom["bio"] = .string(String(repeating: "a", count: 50 << 10) + "b")
        user.deliveries = given.map { campaign in
            Delivery(
                card: CardID(rawValue: campaign.id.rawValue),
                campaign: campaign.id,
                ordinal: 0,
                variant: VariantID(rawValue: "a"),
                deliveredAt: 0
            )
        }
        let decision = FeedDecision(for: user, in: catalog, at: 864_000)
        #expect(decision.additions.isEmpty && decision.endings.isEmpty)
    }

    @Test("A card that follows its audience stays as it is where asking for that took too much work")
    func following() throws {
        let size = 50 << 10
        let known = SharedPatternWork.searchLimit / size
        let bio = Audience.attribute(AttributeClause(.custom("bio"), .contains, "b"))
        let rules = Campaign.Rules(followsAudience: true)
        let campaigns = try (0..<known + 5).map { try Sample.launched("c\(1_000 + $0)", audience: bio, rules: rules) }
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        var user = Sample.user()
        user.deliveries = campaigns.map { campaign in
            Delivery(
                card: CardID(rawValue: campaign.id.rawValue),
                campaign: campaign.id,
                ordinal: 0,
                variant: VariantID(rawValue: "a"),
                deliveredAt: 0
            )
        }
        func reply(_ text: String, since cursor: FeedCursor?) -> FeedReply {
            user.profile.custom["bio"] = .string(text)
            return FeedReply(for: user, in: catalog, since: cursor, epoch: 1, at: 10)
        }
        let first = reply("b", since: nil)
        #expect(first.cardCount == campaigns.count)
        let inside = reply(String(repeating: "a", count: size - 1) + "b", since: first.cursor)
        #expect(!inside.replaces && inside.removed.isEmpty && inside.cardCount == known)
        let outside = reply(String(repeating: "a", count: size), since: first.cursor)
        #expect(outside.removed == user.deliveries.prefix(known).map(\.card) && outside.cardCount == 0)
        // A device that has nothing gets what it was given, as far as nothing is known against it.
        #expect(reply(String(repeating: "a", count: size), since: nil).cardCount == 5)
        // Whoever asks for one alone finds out.
        let status = catalog.status(of: user.deliveries[known], of: user, at: 10)
        #expect(status == .outsideAudience(until: nil))
    }

    /// The number of times that an audience means a user until there is too little work left.
    private func answers(of matcher: AudienceMatcher, _ facts: UserFacts) -> Int {
        var count = 0
        while count < 10_000, matcher.matches(facts) { count += 1 }
        return count
    }
}
