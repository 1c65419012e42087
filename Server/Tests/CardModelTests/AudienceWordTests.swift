import Testing
import WireJSON

@testable import CardModel

@Suite("Filters in words")
struct AudienceWordTests {
    private static let plan = AttributeClause.Name("plan")

    private static let words: [(AttributeClause.Comparison, JSONValue, String)] = [
        (.equals, "gold", "plan is gold"), (.notEqual, 5, "plan is not 5"),
        (.isAnyOf, ["a", 1, true], "plan is one of a, 1, true"), (.isNoneOf, [""], #"plan is none of """#),
        (.exists, .null, "plan is known"), (.doesNotExist, .null, "plan is not known"),
        (.greaterThan, 1.5, "plan is more than 1.5"), (.greaterThanOrEqual, 2, "plan is at least 2"),
        (.lessThan, 2, "plan is less than 2"), (.lessThanOrEqual, -2, "plan is at most -2"),
        (.includesValue, "x", "plan includes x"), (.doesNotIncludeValue, "x", "plan does not include x"),
        (.contains, "x y", "plan contains x y"), (.doesNotContain, "x", "plan does not contain x"),
        (.matchesRegex, "^a$", "plan matches ^a$"), (.doesNotMatchRegex, "b", "plan does not match b"),
        (.before, "2027-01-31", "plan is before 2027-01-31"), (.after, 5, "plan is after 5"),
        (.lessThanDaysAgo, 3, "plan was less than 3 days ago"),
        (.greaterThanDaysAgo, 3, "plan was 3 days ago or more"),
        (.lessThanDaysAhead, 3, "plan is within 3 days from now"),
        (.greaterThanDaysAhead, 0.5, "plan is more than 0.5 days from now"),
        (.lessThanDaysAgo, 1, "plan was less than 1 day ago"), (.greaterThanDaysAgo, 1, "plan was 1 day ago or more"),
        (.lessThanDaysAhead, 1, "plan is within 1 day from now"),
        (.greaterThanDaysAhead, 1, "plan is more than 1 day from now"),
    ]

    @Test("Each comparison has words of its own", arguments: words)
    func comparisons(comparison: AttributeClause.Comparison, value: JSONValue, expected: String) {
        #expect(Audience.attribute(AttributeClause(Self.plan, comparison, value)).summary == expected)
    }

    @Test("There are words for every comparison, and no two have the same")
    func all() {
        #expect(Set(Self.words.map(\.0)) == Set(AttributeClause.Comparison.allCases))
        #expect(Set(Self.words.map(\.2)).count == Self.words.count)
    }

    @Test(
        "What a user did is told with how often, since when and of what",
        arguments: [
            (HistoryClause(.event("cart")), "did cart"),
            (HistoryClause(.event("cart"), within: .days(1)), "did cart within 1 day"),
            (HistoryClause(.event("cart"), within: .days(2.5)), "did cart within 2.5 days"),
            (HistoryClause(.session, within: .calendarDays(1)), "opened the app today"),
            (HistoryClause(.session, within: .calendarDays(3)), "opened the app in the last 3 calendar days"),
            (HistoryClause(.event("cart"), .count, .greaterThanOrEqual, 2), "did cart at least 2 times"),
            (HistoryClause(.event("cart"), .count, .lessThanOrEqual, 1), "did cart at most 1 time"),
            (HistoryClause(.event("cart"), .count, .greaterThan, 0), "did cart more than 0 times"),
            (HistoryClause(.purchase(product: nil), .count, .equals, 0), "bought anything exactly 0 times"),
            (HistoryClause(.purchase(product: "cup"), .count, .lessThan, 3), "bought cup less than 3 times"),
            (
                HistoryClause(.purchase(product: nil), .revenue(currency: "EUR"), .greaterThan, 9.5),
                "paid more than 9.5 EUR"
            ),
            (
                HistoryClause(.purchase(product: "cup"), .revenue(currency: "JPY"), .notEqual, 0, within: .days(7)),
                "paid anything but 0 JPY for cup within 7 days"
            ),
            (
                HistoryClause(.purchase(product: nil), .first, .before, 0),
                "first time that bought anything is before 1970-01-01T00:00:00Z"
            ),
            (
                HistoryClause(.session, .last, .greaterThanDaysAgo, 30),
                "last time that opened the app was 30 days ago or more"
            ), (HistoryClause(.event("cart"), .last, .doesNotExist, 0), "never did cart"),
        ]
    )
    func histories(clause: HistoryClause, expected: String) throws {
        let audience = Audience.history(clause)
        #expect(audience.summary == expected)
        #expect(try Audience(json: JSONValue(parsing: audience.json.text)) == audience)
    }

    @Test("Campaigns, buckets and users are told with what narrows them")
    func others() {
        let sale = CampaignID(rawValue: "sale")
        for (contact, expected) in [
            (ContactClause.Contact.received, "received"), (.viewed, "viewed"), (.clicked, "clicked"),
            (.dismissed, "dismissed"),
        ] {
            #expect(Audience.contact(ContactClause(contact, sale)).summary == "\(expected) campaign sale")
        }
        let narrow = ContactClause(.viewed, sale, variants: ["b", "a"].ids, within: .days(7))
        #expect(Audience.contact(narrow).summary == "viewed campaign sale (variant a or b) within 7 days")
        #expect(Audience.bucket(RandomBucket(5...9, salt: "s")).summary == "random number 5 to 9")
        #expect(Audience.users([]).summary == "one of 0 listed users")
    }

    @Test("Branches stand in brackets where they would be taken for those of another")
    func branches() {
        func leaf(_ value: JSONValue) -> Audience { .attribute(AttributeClause(Self.plan, .equals, value)) }
        let (one, two, three) = (leaf("a"), leaf("b"), leaf("c"))
        #expect(Audience.all([one]).summary == "plan is a" && Audience.any([one]).summary == "plan is a")
        #expect(Audience.all([.any([one])]).summary == "plan is a")
        #expect(Audience.all([one, .any([two, three])]).summary == "plan is a and (plan is b or plan is c)")
        #expect(Audience.any([.all([one, two]), three]).summary == "(plan is a and plan is b) or plan is c")
        #expect(Audience.none([one, two]).summary == "not (plan is a or plan is b)")
        #expect(Audience.none([.all([one, two])]).summary == "not (plan is a and plan is b)")
        #expect(Audience.none([]).summary == "all users" && Audience.none([.any([])]).summary == "not (nobody)")
        #expect(Audience.all([.everyone, .any([])]).summary == "all users and nobody")
    }

    @Test("Words of another language take the places of the English ones")
    func localized() {
        let formatter = AudienceFormatter { "<\($0.key)>" }
        let one = Audience.attribute(AttributeClause(Self.plan, .equals, "a"))
        #expect(formatter.summary(one) == "<{1} is {2}>" && formatter.summary(.everyone) == "<all users>")
        #expect(formatter.summary(.any([one, .everyone])) == "<{1} is {2}>< or ><all users>")
    }
}

extension [String] {
    fileprivate var ids: Set<VariantID> { Set(map(VariantID.init(rawValue:))) }
}
