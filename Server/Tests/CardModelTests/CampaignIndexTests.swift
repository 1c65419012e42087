import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("Campaigns are found by what they require")
struct CampaignIndexTests {
    private static let sizes = [10, 100, 1_000, 10_000]

    private func attribute(_ name: String, _ comparison: AttributeClause.Comparison, _ value: JSONValue) -> Audience {
        .attribute(AttributeClause(.custom(ByteString(name)), comparison, value))
    }

    /// How many campaigns are asked of as many as there are, of which a user can have three.
    private func asked(
        _ count: Int,
        _ user: UserState,
        segments: [SegmentID: Audience] = [:],
        _ campaign: (Int) throws -> Campaign
    ) throws -> Int {
        let catalog = Catalog(campaigns: try (0..<count).map(campaign), generation: 1, segments: segments)
        let decision = FeedDecision(for: user, in: catalog, at: 100)
        let explained = FeedDecision(for: user, in: catalog, at: 100, explains: true)
        #expect(explained.asked == count)
        #expect(decision.additions == explained.additions && decision.discards == explained.discards)
        return decision.asked
    }

    // MARK: How many are asked

    @Test("Those for other values of an attribute aren't asked, however many there are", arguments: sizes)
    func attributes(count: Int) throws {
        var user = Sample.user()
        (user.profile.custom["shop"], user.profile.custom["floor"]) = ("shop-3", 4)
        let asked = try asked(count, user) { number in
            let audience: Audience =
                switch number % 3 {
                case 0: attribute("shop", .equals, .string("shop-\(number)"))
                case 1: attribute("floor", .isAnyOf, [.integer(Int64(number)), .integer(Int64(number + 20_000))])
                default: .all([.bucket(RandomBucket(0...9_999)), attribute("missing", .greaterThan, 1)])
                }
            return try Sample.launched("c\(number)", audience: audience)
        }
        #expect(asked == 2)
    }

    @Test("Those for other segments and other users aren't asked", arguments: sizes)
    func segments(count: Int) throws {
        var user = Sample.user()
        user.profile.custom["shop"] = "shop-3"
        let segments = Dictionary(
            uniqueKeysWithValues: (0..<count).map { number in
                let listed: Audience = .users([UserID(rawValue: "user-\(number)"), UserID(rawValue: "u\(number)")])
                let shop = attribute("shop", .equals, .string("shop-\(number)"))
                return (SegmentID(rawValue: "s\(number)"), Audience.any([listed, shop]))
            }
        )
        let asked = try asked(count, user, segments: segments) { number in
            try Sample.launched("c\(number)", audience: .segment(SegmentID(rawValue: "s\(number)")))
        }
        #expect(asked == 1)
    }

    @Test("Those that wait for triggers, or for cards of others, aren't asked without them", arguments: sizes)
    func triggers(count: Int) throws {
        var user = Sample.user()
        user.triggers = [Sample.trigger("t", of: "c0")]
        user.deliveries = [
            Delivery(
                card: CardID(rawValue: "card"),
                campaign: CampaignID(rawValue: "c4"),
                ordinal: 0,
                variant: VariantID(rawValue: "a"),
                deliveredAt: 1
            )
        ]
        let asked = try asked(count, user) { number in
            let id = "c\(number)"
            guard number % 2 == 1 else { return try Sample.launched(id, delivery: .apiTriggered(.init())) }
            let before = CampaignID(rawValue: "c\(number - 1)")
            return try Sample.launched(id, audience: .contact(ContactClause(.received, before)))
        }
        // The trigger's, that of which there is a card, and the one for those who had it.
        #expect(asked == 3)
    }

    @Test("Those that may mean anyone are asked", arguments: [10, 100])
    func anyone(count: Int) throws {
        let asked = try asked(count, Sample.user()) { number in
            let audience: Audience =
                switch number % 5 {
                case 0: .everyone
                case 1: attribute("shop", .notEqual, "x")
                case 2: .none([attribute("shop", .equals, "x")])
                case 3: .any([attribute("shop", .equals, "x"), .bucket(RandomBucket(0...9_999))])
                default: .all([])
                }
            return try Sample.launched("c\(number)", audience: audience)
        }
        #expect(asked == count)
    }

    @Test("A campaign that is found by what it requires still begins in time")
    func starts() throws {
        var user = Sample.user()
        let campaigns = try (1...3).map { number in
            try Sample.launched(
                "c\(number)",
                delivery: .scheduled(start: 100 * Double(number), end: nil),
                audience: attribute("plan", .equals, "gold")
            )
        }
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        #expect(FeedDecision(for: user, in: catalog, at: 150).recheckAt == 200)
        user.profile.custom["plan"] = "gold"
        let decision = FeedDecision(for: user, in: catalog, at: 150)
        #expect(decision.recheckAt == 200 && decision.additions.map(\.campaign.rawValue) == ["c1"])
        #expect(FeedDecision(for: user, in: catalog, at: 300).additions.count == 3)
        #expect(FeedDecision(for: user, in: catalog, at: 300).recheckAt == nil)
    }

    // MARK: Equal to asking all

    @Test("Decisions are those of asking every campaign, until they are due again", arguments: 0..<300 as Range<UInt64>)
    func equality(seed: UInt64) throws {
        var random = RandomCatalog(seed: seed)
        let segments = [SegmentID(rawValue: "one"): random.audience(2), SegmentID(rawValue: "two"): random.audience(1)]
        let campaigns = try (0..<30).map { try random.campaign($0) }
        let catalog = Catalog(campaigns: campaigns, generation: 1, segments: segments)
        for _ in 0..<10 {
            let user = random.user()
            let found = FeedDecision(for: user, in: catalog, at: 1_000)
            let all = FeedDecision(for: user, in: catalog, at: 1_000, explains: true)
            #expect(Self.content(of: found) == Self.content(of: all))
            #expect(found.asked <= all.asked)
            // A campaign that isn't asked doesn't say when its audience may be another, so it must give nothing then.
            guard let due = all.recheckAt else {
                #expect(found.recheckAt == nil)
                continue
            }
            #expect(found.recheckAt ?? .infinity >= due)
            if found.recheckAt != due {
                let later = FeedDecision(for: user, in: catalog, at: due, explains: true)
                #expect(Set(later.additions).isSubset(of: all.additions))
            }
        }
    }

    private static func content(of decision: FeedDecision) -> [String] {
        decision.additions.map { "\($0)" } + decision.discards.map { "\($0)" }
            + decision.endings.map { "\($0)" }.sorted()
    }
}

/// Campaigns and users made up by chance.
private struct RandomCatalog {
    private var random: SplitMix
    private static let values: [JSONValue] = ["gold", "silver", 1, 1.5, true, "1", ["gold"], 2]
    private static let names = ["plan", "tier", "since"]

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(values.count)] }

    mutating func audience(_ depth: Int) -> Audience {
        if depth > 0, roll(3) > 0 {
            let branches = (0..<roll(4)).map { _ in audience(depth - 1) }
            return pick([Audience.all(branches), .all(branches), .any(branches), .none(branches)])
        }
        switch roll(8) {
        case 0: return .users([UserID(rawValue: "u\(roll(5))"), UserID(rawValue: "u\(roll(5))")])
        case 1: return .bucket(RandomBucket(0...roll(10_000)))
        case 2: return .contact(ContactClause(.received, CampaignID(rawValue: "c\(roll(30))")))
        case 3: return .segment(SegmentID(rawValue: pick(["one", "two", "none"])))
        case 4:
            let comparison = pick([AttributeClause.Comparison.lessThanDaysAgo, .greaterThanDaysAhead])
            return .attribute(AttributeClause(.custom("since"), comparison, .number(Double(roll(3)) / 86_400 * 500)))
        case 5: return .attribute(AttributeClause(.system(.userID), .equals, .string("u\(roll(5))")))
        default:
            let comparison = pick([
                AttributeClause.Comparison.equals, .notEqual, .isAnyOf, .isNoneOf, .exists, .doesNotExist,
                .greaterThan, .includesValue, .contains,
            ])
            let value: JSONValue =
                comparison == .isAnyOf || comparison == .isNoneOf
                ? .array([pick(Self.values), pick(Self.values)]) : pick(Self.values)
            return .attribute(AttributeClause(.custom(ByteString(pick(Self.names))), comparison, value))
        }
    }

    mutating func campaign(_ number: Int) throws -> Campaign {
        let delivery: Campaign.DeliveryMode =
            switch roll(6) {
            case 0: .apiTriggered(.init())
            case 1: .scheduled(start: Double(500 + roll(1_000)), end: nil)
            case 2: .scheduled(start: nil, end: Double(500 + roll(1_000)))
            default: .scheduled(start: nil, end: nil)
            }
        return try Sample.launched("c\(number)", at: Double(number), delivery: delivery, audience: audience(2))
    }

    mutating func user() -> UserState {
        var user = Sample.user("u\(roll(5))")
        for name in Self.names where roll(3) > 0 { user.profile.custom[name] = pick(Self.values) }
        if roll(2) == 0 { user.profile.custom["since"] = .number(Double(roll(2_000))) }
        for number in 0..<30 where roll(6) == 0 {
            user.deliveries.append(
                Delivery(
                    card: CardID(rawValue: "card-\(number)"),
                    campaign: CampaignID(rawValue: "c\(number)"),
                    ordinal: 0,
                    variant: VariantID(rawValue: "a"),
                    deliveredAt: Double(roll(900))
                )
            )
        }
        for number in 0..<30 where roll(8) == 0 {
            user.triggers.append(
                Sample.trigger("t\(number)", of: "c\(number)", at: 10, due: .at(Double(500 + roll(1_000))))
            )
        }
        return user
    }
}
