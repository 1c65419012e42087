import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("An audience asks what a user did, and when")
struct HistoryAudienceTests {
    /// 2026-11-21 at noon in UTC, 21:00 in Tokyo.
    private static let noon: UnixTime = 1_795_262_400
    private static let day = 86_400.0

    private static let facts: UserFacts = {
        var history = UserHistory()
        // Ten, nine … one days ago.
        for days in 1...10 { history.add(custom("cart", daysAgo: Double(days))) }
        history.add(custom("late", daysAgo: 0.45))
        // A device's clock says so: five hours and two days ahead.
        for days in [-5.0 / 24, -2, 1] { history.add(custom("ahead", daysAgo: days)) }
        history.add(purchase("cup", 5, "EUR", daysAgo: -5.0 / 24))
        history.add(purchase("book", 10, "USD", daysAgo: 40))
        history.add(purchase("book", 12, "USD", daysAgo: 3))
        history.add(purchase("book", 1_000, "JPY", daysAgo: 2))
        history.add(purchase("pen", 2, "USD", daysAgo: 1))
        history.add(DeviceEvent(id: EventID(high: 0, low: 0), kind: .sessionStart, at: noon - day))
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: noon - 100 * day)
        profile.firstSeenAt = noon - 50 * day
        profile.lastSeenAt = noon - 5 * day
        profile.device = DeviceContext(timeZone: "Asia/Tokyo", appVersion: "2.10.1-beta")
        profile.custom = ["renewal": .string(Timestamp.text(of: noon + 3 * day))]
        var user = UserState(profile: profile, history: history)
        user.deliveries = [
            delivery("sale", "a", daysAgo: 20, viewedDaysAgo: 4), delivery("sale", "b", daysAgo: 30),
            delivery("old", "a", daysAgo: 9, viewedDaysAgo: nil, isViewed: true),
            delivery("ahead", "a", daysAgo: 1, viewedDaysAgo: -0.5),
        ]
        return UserFacts(user, at: noon)
    }()

    private static func custom(_ name: String, daysAgo: Double) -> DeviceEvent {
        DeviceEvent(id: EventID(high: 0, low: 0), kind: .custom(name: ByteString(name)), at: noon - daysAgo * day)
    }

    private static func purchase(
        _ product: String,
        _ price: Amount,
        _ currency: String,
        daysAgo: Double
    ) -> DeviceEvent {
        let purchase = DeviceEvent.Purchase(productID: product, currency: currency, price: price, quantity: 2)
        return DeviceEvent(id: EventID(high: 0, low: 0), kind: .purchase(purchase), at: noon - daysAgo * day)
    }

    private static func delivery(
        _ campaign: String,
        _ variant: String,
        daysAgo: Double,
        viewedDaysAgo: Double? = nil,
        isViewed: Bool = false
    ) -> Delivery {
        var delivery = Delivery(
            card: CardID(rawValue: "\(campaign)-\(variant)"),
            campaign: CampaignID(rawValue: campaign),
            ordinal: 0,
            variant: VariantID(rawValue: variant),
            deliveredAt: noon - daysAgo * day
        )
        delivery.isViewed = isViewed || viewedDaysAgo != nil
        delivery.lastViewedAt = viewedDaysAgo.map { noon - $0 * day }
        return delivery
    }

    private static let clauses: [(String, Bool)] = [
        (#"{"event":{"name":"cart"}}"#, true), (#"{"event":{"name":"none"}}"#, false),
        (#"{"event":{"name":"cart","comparison":"equals","value":10}}"#, true),
        (#"{"event":{"name":"none","comparison":"equals","value":0}}"#, true),
        (#"{"event":{"name":"none","comparison":"less_than","value":1}}"#, true),
        (#"{"event":{"name":"cart","comparison":"greater_than","value":10}}"#, false),
        // What happened just three days ago has left the window.
        (#"{"event":{"name":"cart","comparison":"equals","value":2,"within_days":3}}"#, true),
        (#"{"event":{"name":"cart","comparison":"equals","value":3,"within_days":3.1}}"#, true),
        // In Tokyo it is 21:00, so today began 21 hours ago.
        (#"{"event":{"name":"late","within_calendar_days":1}}"#, true),
        (#"{"event":{"name":"cart","within_calendar_days":1}}"#, false),
        (#"{"event":{"name":"cart","comparison":"equals","value":1,"within_calendar_days":2}}"#, true),
        (#"{"event":{"name":"cart","measure":"last","comparison":"less_than_x_days_ago","value":1}}"#, false),
        (#"{"event":{"name":"cart","measure":"last","comparison":"less_than_x_days_ago","value":2}}"#, true),
        (#"{"event":{"name":"cart","measure":"first","comparison":"greater_than_x_days_ago","value":10}}"#, true),
        (#"{"event":{"name":"none","measure":"last","comparison":"greater_than_x_days_ago","value":1}}"#, false),
        (#"{"event":{"name":"none","measure":"last","comparison":"does_not_exist"}}"#, true),
        (#"{"event":{"name":"cart","measure":"first","comparison":"before","value":"2026-11-12"}}"#, true),
        // What is still to come isn't recent, not even if it is today.
        (#"{"event":{"name":"ahead","comparison":"equals","value":1,"within_days":7}}"#, true),
        (#"{"event":{"name":"ahead","comparison":"equals","value":1,"within_calendar_days":2}}"#, true),
        (#"{"event":{"name":"ahead","within_calendar_days":1}}"#, false),
        (#"{"event":{"name":"ahead","comparison":"equals","value":3}}"#, true),
        (
            #"{"purchase":{"measure":"revenue","currency":"EUR","comparison":"equals","value":0,"within_days":7}}"#,
            true
        ), (#"{"campaign":{"id":"ahead","contact":"viewed","within_days":7}}"#, false),
        (#"{"campaign":{"id":"ahead","contact":"viewed"}}"#, true),
        (#"{"purchase":{}}"#, true), (#"{"purchase":{"comparison":"equals","value":5}}"#, true),
        (#"{"purchase":{"product_id":"book","comparison":"equals","value":3}}"#, true),
        (#"{"purchase":{"product_id":"mug"}}"#, false),
        (#"{"purchase":{"measure":"revenue","currency":"USD","comparison":"equals","value":48}}"#, true),
        (
            #"{"purchase":{"measure":"revenue","currency":"usd","product_id":"book","#
                + #""comparison":"equals","value":44}}"#,
            true
        ),
        (
            #"{"purchase":{"measure":"revenue","currency":"USD","comparison":"equals","value":28,"within_days":30}}"#,
            true
        ),
        (#"{"purchase":{"measure":"revenue","currency":"SEK","comparison":"equals","value":0}}"#, true),
        (#"{"purchase":{"measure":"first","comparison":"greater_than_x_days_ago","value":40}}"#, true),
        (#"{"session":{}}"#, true), (#"{"session":{"comparison":"greater_than","value":1}}"#, false),
        (#"{"campaign":{"id":"sale"}}"#, true), (#"{"campaign":{"id":"other"}}"#, false),
        (#"{"campaign":{"id":"sale","within_days":20}}"#, false),
        (#"{"campaign":{"id":"sale","within_days":21}}"#, true),
        (#"{"campaign":{"id":"sale","variants":["b"],"within_days":21}}"#, false),
        (#"{"campaign":{"id":"sale","contact":"viewed"}}"#, true),
        (#"{"campaign":{"id":"sale","contact":"viewed","variants":["b"]}}"#, false),
        (#"{"campaign":{"id":"sale","contact":"viewed","within_days":5}}"#, true),
        (#"{"campaign":{"id":"sale","contact":"viewed","within_days":4}}"#, false),
        (#"{"campaign":{"id":"sale","contact":"clicked"}}"#, false),
        // When it was viewed is not known, only that it was.
        (#"{"campaign":{"id":"old","contact":"viewed","within_days":10}}"#, true),
        (#"{"campaign":{"id":"old","contact":"viewed","within_days":8}}"#, false),
        (#"{"attribute":"last_seen_at","comparison":"less_than_x_days_ago","value":6}"#, true),
        (#"{"attribute":"first_seen_at","comparison":"greater_than_x_days_ago","value":51}"#, false),
        (#"{"attribute":"created_at","comparison":"greater_than_x_days_ago","value":100}"#, true),
        (#"{"last_used_app":{"comparison":"after","value":"2026-11-15"}}"#, true),
        (#"{"attribute":"renewal","comparison":"less_than_x_days_in_the_future","value":3}"#, true),
        (#"{"attribute":"renewal","comparison":"less_than_x_days_in_the_future","value":2}"#, false),
        (#"{"attribute":"renewal","comparison":"greater_than_x_days_in_the_future","value":2}"#, true),
        (#"{"attribute":"renewal","comparison":"less_than_x_days_ago","value":30}"#, false),
        (#"{"attribute":"app_version","comparison":"greater_than","value":"2.9"}"#, true),
        (#"{"attribute":"app_version","comparison":"equals","value":"2.10.1"}"#, false),
        (#"{"attribute":"app_version","comparison":"less_than_or_equal_to","value":"2.10.1.0"}"#, true),
        (#"{"attribute":"app_version","comparison":"less_than","value":3}"#, true),
        (#"{"email_subscription_status":{"comparison":"is","value":"subscribed"}}"#, true),
        (#"{"push_subscription_status":{"comparison":"is_not","value":"opted_in"}}"#, true),
        (#"{"push_subscription_status":{"comparison":"is_not","value":"subscribed"}}"#, false),
        (#"{"random_bucket":{}}"#, true),
    ]

    @Test("A clause holds by what was done", arguments: clauses)
    func holds(text: String, holds: Bool) throws {
        let audience = try Audience(json: JSONValue(parsing: text))
        #expect(try Audience(json: JSONValue(parsing: audience.json.text)) == audience)
        #expect(AudienceMatcher(audience).matches(Self.facts) == holds)
    }

    @Test("What has to be known of the history is told, through segments too")
    func tellsParts() throws {
        let audience = try Audience(json: ["any": [["segment": "s"], ["event": ["name": "a"]]]])
        let segment = try Audience(json: ["none": [["session": [:]]]])
        #expect(AudienceMatcher(audience).parts == .events)
        let matcher = AudienceMatcher(audience, segments: [SegmentID(rawValue: "s"): segment])
        #expect(matcher.parts == [.events, .sessions])
        #expect(AudienceMatcher(try Audience(json: ["purchase": [:]])).parts == .purchases)
    }

    @Test("A segment means its audience; an unknown one, or one in itself, means nobody")
    func followsSegments() {
        let (one, two) = (SegmentID(rawValue: "one"), SegmentID(rawValue: "two"))
        let all = Audience.segment(one)
        #expect(AudienceMatcher(all, segments: [one: .segment(two), two: .everyone]).matches(Self.facts))
        #expect(!AudienceMatcher(all).matches(Self.facts))
        #expect(!AudienceMatcher(all, segments: [one: .segment(two), two: .segment(one)]).matches(Self.facts))
    }

    @Test("Random numbers are spread evenly, and otherwise by another seed")
    func spreadsBuckets() {
        let users = (0..<20_000).map { UserID(rawValue: "user-\($0)") }
        let low = users.filter { RandomBucket.number(of: $0) < 5_000 }
        #expect((9_700...10_300).contains(low.count))
        let both = low.filter { RandomBucket.number(of: $0, salt: "x") < 5_000 }
        #expect((4_700...5_300).contains(both.count))
        #expect(users.allSatisfy { RandomBucket.numbers.contains(RandomBucket.number(of: $0)) })
    }

    // MARK: Time

    private static let ends: [(String, Double?)] = [
        (#"{"attribute":"plan","value":"gold"}"#, nil), (#"{"event":{"name":"cart"}}"#, nil),
        (#"{"event":{"name":"cart","within_days":3}}"#, 1),
        (#"{"event":{"name":"cart","measure":"last","comparison":"less_than_x_days_ago","value":3}}"#, 2),
        (#"{"event":{"name":"cart","measure":"last","comparison":"greater_than_x_days_ago","value":3}}"#, 2),
        (#"{"event":{"name":"cart","measure":"last","comparison":"greater_than_x_days_ago","value":0.5}}"#, nil),
        (#"{"campaign":{"id":"sale","contact":"viewed","within_days":7}}"#, 3),
        (#"{"campaign":{"id":"sale","contact":"viewed","within_days":2}}"#, nil),
        (#"{"attribute":"renewal","comparison":"less_than_x_days_in_the_future","value":1}"#, 2),
        (#"{"attribute":"renewal","comparison":"less_than_x_days_in_the_future","value":5}"#, 3),
        // What is still to come counts from its time on.
        (#"{"event":{"name":"ahead","comparison":"equals","value":2,"within_days":7}}"#, 5.0 / 24),
        (#"{"campaign":{"id":"ahead","contact":"viewed","within_days":7}}"#, 0.5),
        // The end of the day in Tokyo is three hours away.
        (#"{"event":{"name":"late","within_calendar_days":1}}"#, 3.0 / 24),
        // The first that is false decides, whatever comes of the other.
        (#"{"all":[{"users":[]},{"event":{"name":"cart","within_days":3}}]}"#, nil),
        (#"{"any":[{"users":["u"]},{"event":{"name":"cart","within_days":3}}]}"#, nil),
        (#"{"any":[{"users":[]},{"event":{"name":"cart","within_days":3}}]}"#, 1),
        (#"{"none":[{"event":{"name":"cart","within_days":3}}]}"#, 1),
    ]

    @Test("The next moment at which the answer can change is told", arguments: ends)
    func tellsEnd(text: String, days: Double?) throws {
        let verdict = AudienceMatcher(try Audience(json: JSONValue(parsing: text))).answer(of: Self.facts)
        #expect(verdict.until == days.map { Self.noon + $0 * Self.day })
    }

    @Test("A day begins when the zone says, also where midnight does not exist or comes twice")
    func followsZones() throws {
        // São Paulo went from 00:00 to 01:00 on 2018-11-04; Havana goes from 01:00 back to 00:00 on 2026-11-01.
        for (zone, text, offset) in [
            ("America/Sao_Paulo", "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z"),
            ("America/Havana", "2026-11-01T20:00:00Z", "2026-11-01T04:00:00Z"),
            ("Asia/Kathmandu", "2026-11-01T20:00:00Z", "2026-11-01T18:15:00Z"),
        ] {
            let now = try #require(Timestamp.unixTime(of: text))
            let start = try #require(Timestamp.unixTime(of: offset))
            let audience = try Audience(json: ["event": ["name": "e", "within_calendar_days": 1]])
            for (time, holds) in [(start, true), (start - 0.001, false)] {
                var user = UserState(profile: UserProfile(id: UserID(rawValue: "u"), createdAt: 0))
                user.profile.device.timeZone = zone
                user.history.events["e"] = Occurrences(at: time)
                #expect(AudienceMatcher(audience).matches(UserFacts(user, at: now)) == holds, "\(zone) \(time)")
            }
        }
    }

    // MARK: Explanation

    @Test("An explanation has each clause with what was found, and names those that decided")
    func explains() throws {
        let audience = try Audience(
            json: JSONValue(
                parsing: #"""
                    {"all":[{"event":{"name":"cart","comparison":"greater_than","value":3}},
                        {"any":[{"attribute":"plan","value":"gold"},{"segment":"vip"},{"segment":"none"}]},
                        {"none":[{"campaign":{"id":"sale","contact":"viewed"}}]}]}
                    """#
            )
        )
        let segments: [SegmentID: Audience] = [SegmentID(rawValue: "vip"): .attribute(.init(.system(.locale), .exists))]
        let explanation = AudienceMatcher(audience, segments: segments).explanation(of: Self.facts)
        #expect(!explanation.matches)
        #expect(explanation.branches.map(\.matches) == [true, false, false])
        #expect(explanation.branches[0].found == 10)
        #expect(explanation.branches[1].branches.map(\.note) == [nil, nil, .segmentUnknown])
        #expect(
            explanation.reasons.map(\.path) == [
                "audience.all[1].any[0]", "audience.all[1].any[1].segment", "audience.all[1].any[2]",
                "audience.all[2].none[0]",
            ]
        )
        #expect(explanation.reasons.last?.found == .number(Self.noon - 4 * Self.day).whole)
        #expect(explanation.json["branches"]?.array?.count == 3)
    }

    // MARK: Amounts

    @Test("Ten times 0.10 is one, in all and within days, and clauses keep every digit of their value")
    func exactRevenue() throws {
        var user = UserState(profile: UserProfile(id: UserID(rawValue: "ann"), createdAt: 0))
        for _ in 0..<10 { user.history.add(Self.purchase("tea", 0.05, "EUR", daysAgo: 2)) }
        let facts = UserFacts(user, at: Self.noon)
        func matches(_ comparison: String, _ value: JSONValue, _ window: JSONObject = [:]) throws -> Bool {
            let members: JSONObject = [
                "measure": "revenue", "currency": "EUR", "comparison": .string(comparison), "value": value,
            ]
            let json: JSONValue = ["purchase": .object(members.merging(window) { $1 })]
            let audience = try Audience(json: json)
            #expect(try Audience(json: audience.json) == audience)
            return AudienceMatcher(audience).matches(facts)
        }
        for window in [[:], ["within_days": 3]] as [JSONObject] {
            #expect(try matches("equals", 1, window))
            #expect(try matches("greater_than_or_equal_to", 1, window))
            #expect(try !matches("greater_than", 1, window))
            #expect(try !matches("greater_than_or_equal_to", 1.000000001, window))
        }
        #expect(throws: ModelError.self) { try matches("equals", 0.1234567891) }
        let long = try JSONValue(parsing: "123456789012345.123456789")
        #expect(try !matches("greater_than", long))
    }

    // MARK: Occurrences

    private func times(_ range: Range<Int>) -> [Double] { range.map { Double($0) } }

    @Test("The latest hundred times are kept, in whatever order they come")
    func keepsLatest() {
        var shuffled = times(0..<250)
        var random = SplitMix(seed: 7)
        shuffled.shuffle(using: &random)
        var occurrences = Occurrences(at: shuffled[0])
        for time in shuffled.dropFirst() { occurrences.add(time, now: 1_000) }
        #expect(occurrences.count == 250)
        #expect(occurrences.first == 0 && occurrences.last == 249)
        #expect(occurrences.recent == times(150..<250))

        var record = PurchaseRecord(of: Amount(Int64(shuffled[0])), at: shuffled[0])
        for time in shuffled.dropFirst() { record.add(Amount(Int64(time)), at: time, now: 1_000) }
        #expect(record.recentAmounts.map(\.double) == record.occurrences.recent)
        #expect(record.revenue == Amount(31_125))
    }

    @Test("Times that are dated ahead push out none that have come, whatever comes first")
    func ahead() {
        var shuffled = times(0..<400)
        var random = SplitMix(seed: 11)
        shuffled.shuffle(using: &random)
        var record = PurchaseRecord(of: Amount(Int64(shuffled[0])), at: shuffled[0])
        for time in shuffled.dropFirst() { record.add(Amount(Int64(time)), at: time, now: 199) }
        #expect(record.occurrences.recent == times(100..<300))
        #expect(record.recentAmounts.map(\.double) == record.occurrences.recent)
        #expect(record.occurrences.count == 400 && record.occurrences.last == 399)

        // By and by they come, and the latest hundred are kept of them too.
        record.add(7, at: 7, now: 250)
        #expect(record.occurrences.recent == times(151..<300))
        var merged = PurchaseRecord(of: 1, at: 260)
        merged.merge(record, at: 250)
        #expect(merged.occurrences.recent == (times(151..<300) + [260]).sorted())
        #expect(merged.recentAmounts.count == 150)
    }

    @Test("A count within days holds whatever was dated ahead", arguments: [false, true])
    func countsBesideAhead(isPurchase: Bool) throws {
        var user = UserState(profile: UserProfile(id: UserID(rawValue: "ann"), createdAt: 0))
        for number in 0..<105 {
            let days = number < 5 ? 0.01 * Double(number + 1) : -0.001 * Double(number)
            let event = isPurchase ? Self.purchase("x", 1, "EUR", daysAgo: days) : Self.custom("x", daysAgo: days)
            user.history.add(event, now: Self.noon)
        }
        let json: JSONValue =
            isPurchase
            ? ["purchase": ["product_id": "x", "comparison": "equals", "value": 5, "within_days": 1]]
            : ["event": ["name": "x", "comparison": "equals", "value": 5, "within_days": 1]]
        #expect(AudienceMatcher(try Audience(json: json)).matches(UserFacts(user, at: Self.noon)))
    }
}

extension JSONValue {
    fileprivate var whole: JSONValue { integer.map(JSONValue.integer) ?? self }
}
