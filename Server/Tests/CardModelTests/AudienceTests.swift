import CardModel
import Testing
import WireJSON

@Suite("An audience says who is meant")
struct AudienceTests {
    private static let user: UserProfile = {
        var user = UserProfile(id: UserID(rawValue: "u1"), createdAt: 0)
        user.custom = [
            "plan": "gold", "age": 41, "ratio": 1.5, "vip": true, "tags": ["a", 2, true], "big": 9_007_199_254_740_993,
            "since": "2026-03-01T00:00:00Z", "country": "custom",
        ]
        user.standard = [.dateOfBirth: "1965-04-01", .firstName: "Ann"]
        user.device = DeviceContext(locale: "ja_JP@calendar=japanese", timeZone: "Asia/Tokyo")
        return user
    }()

    private func matches(_ json: JSONValue, _ user: UserProfile = user) throws -> Bool {
        let audience = try Audience(json: JSONValue(parsing: json.text))
        #expect(
            try Audience(json: JSONValue(parsing: audience.json.text)) == audience,
            "The audience reads back the same."
        )
        return AudienceMatcher(audience).matches(Sample.facts(user))
    }

    @Test(
        "Everybody is null, an empty object, or all of nothing",
        arguments: [.null, [:], ["all": []], ["AND": []], ["none": []]] as [JSONValue]
    )
    func meansEverybody(json: JSONValue) throws {
        #expect(try matches(json))
    }

    @Test(
        "Nobody is any of nothing and no listed user",
        arguments: [["any": []], ["OR": []], ["users": []], ["none": [[:]]]] as [JSONValue]
    )
    func meansNobody(json: JSONValue) throws {
        #expect(try !matches(json))
    }

    @Test("Both spellings of a tree mean the same")
    func readsBothSpellings() throws {
        let short = try Audience(json: [
            "all": [
                [
                    "any": [
                        ["attribute": "plan", "comparison": "equals", "value": "gold"],
                        ["attribute": "vip", "value": true],
                    ]
                ],
                ["attribute": "age", "comparison": "greater_than", "value": 18],
            ]
        ])
        let long = try Audience(json: [
            "AND": [
                [
                    "OR": [
                        [
                            "custom_attribute": [
                                "custom_attribute_name": "plan", "comparison": "equals", "value": "gold",
                            ]
                        ],
                        ["custom_attribute": ["custom_attribute_name": "vip", "comparison": "equals", "value": true]],
                    ]
                ],
                ["custom_attribute": ["custom_attribute_name": "age", "comparison": "greater_than", "value": 18]],
            ]
        ])
        #expect(short == long)
        #expect(AudienceMatcher(short).matches(Sample.facts(Self.user)))
    }

    @Test("Branches are combined by and, or and not", arguments: [true, false], [true, false])
    func combines(first: Bool, second: Bool) throws {
        func leaf(_ holds: Bool) -> JSONValue { ["users": [holds ? "u1" : "u2"]] }
        let leaves: JSONValue = [leaf(first), leaf(second)]
        #expect(try matches(["all": leaves]) == (first && second))
        #expect(try matches(["any": leaves]) == (first || second))
        #expect(try matches(["none": leaves]) == !(first || second))
    }

    private static let comparisons: [(String, String, JSONValue?, Bool)] = [
        ("plan", "equals", "gold", true), ("plan", "equals", "Gold", false), ("plan", "not_equal", "gold", false),
        ("plan", "not_equal", "silver", true), ("plan", "exists", nil, true), ("plan", "does_not_exist", nil, false),
        ("plan", "greater_than", 1, false), ("plan", "less_than", 1, false), ("plan", "includes_value", "gold", false),
        ("plan", "does_not_include_value", "gold", true), ("age", "equals", 41, true), ("age", "equals", 41.0, true),
        ("age", "equals", "41", false), ("age", "greater_than", 40.5, true), ("age", "greater_than", 41, false),
        ("age", "greater_than_or_equal_to", 41, true), ("age", "less_than", 42, true), ("age", "less_than", 41, false),
        ("age", "less_than_or_equal_to", 41, true), ("ratio", "equals", 1.5, true), ("vip", "equals", true, true),
        ("vip", "equals", 1, false), ("vip", "greater_than", 0, false), ("tags", "includes_value", "a", true),
        ("tags", "includes_value", 2, true), ("tags", "includes_value", 2.0, true),
        ("tags", "includes_value", true, true),
        ("tags", "includes_value", 1, false), ("tags", "does_not_include_value", "b", true),
        ("tags", "equals", "a", false),
        ("big", "equals", 9_007_199_254_740_993, true), ("big", "equals", 9_007_199_254_740_992, false),
        ("big", "greater_than", 9_007_199_254_740_992, true), ("since", "greater_than", "2026-02-28", true),
        ("since", "less_than", "2026-03-01T09:00:00+09:00", false),
        ("since", "less_than_or_equal_to", "2026-03-01T09:00:00+09:00", true),
        ("since", "greater_than", 1_700_000_000, true),
        ("dob", "less_than", "1970-01-01", true), ("dob", "greater_than", "1960-01-01", true),
        ("dob", "less_than", "1965-04-01", false), ("first_name", "equals", "Ann", true),
        ("country", "equals", "JP", true),
        ("country", "equals", "custom", false), ("language", "equals", "ja", true),
        ("time_zone", "equals", "Asia/Tokyo", true),
        ("email", "exists", nil, false), ("email", "does_not_exist", nil, true),
        ("plan", "does_not_equal", "silver", true), ("plan", "is_any_of", ["silver", "gold"], true),
        ("plan", "is_any_of", ["Gold", 41], false), ("plan", "is_none_of", ["gold"], false),
        ("age", "is_any_of", ["41", 41.0], true), ("vip", "is_any_of", [true], true), ("vip", "is_any_of", [1], false),
        ("plan", "contains", "ol", true), ("plan", "contains", "OL", false), ("plan", "does_not_contain", "x", true),
        ("age", "contains", "4", false), ("plan", "matches_regex", "^(gold|silver)$", true),
        ("plan", "matches_regex", "(?i)^GOLD$", true), ("plan", "does_not_match_regex", "^g", false),
        ("age", "matches_regex", "4", false), ("since", "after", "2026-02-28", true),
        ("since", "before", "2026-03-01", false),
        ("plan", "after", "2026-02-28", false), ("user_id", "equals", "u1", true),
        ("user_id", "matches_regex", "^u\\d$", true),
        ("created_at", "before", "1970-01-02", true), ("last_seen_at", "exists", nil, false),
        ("app_version", "exists", nil, false), ("locale", "contains", "ja", true),
    ]

    @Test("An attribute compares as its kind does", arguments: comparisons)
    func compares(name: String, comparison: String, value: JSONValue?, holds: Bool) throws {
        var clause: JSONValue = ["attribute": .string(name), "comparison": .string(comparison)]
        if let value, var members = clause.object {
            members["value"] = value
            clause = .object(members)
        }
        #expect(try matches(clause) == holds)
    }

    @Test(
        "A missing attribute differs from every value and is in no relation to one",
        arguments: AttributeClause.Comparison.allCases
    )
    func missesAttribute(comparison: AttributeClause.Comparison) {
        let clause = AttributeClause(.custom("none"), comparison, Self.value(for: comparison))
        let holds = AudienceMatcher(.attribute(clause)).matches(Sample.facts(Self.user))
        #expect(holds == Self.negations.contains(comparison))
    }

    @Test(
        "An attribute of another kind is treated as a missing one",
        arguments: AttributeClause.Comparison.allCases.filter { $0 != .exists && $0 != .doesNotExist }
    )
    func meetsOtherKind(comparison: AttributeClause.Comparison) {
        var user = Self.user
        user.custom["odd"] = ["an": "object"]
        let clause = AttributeClause(.custom("odd"), comparison, Self.value(for: comparison))
        let holds = AudienceMatcher(.attribute(clause)).matches(Sample.facts(user))
        #expect(holds == Self.negations.contains(comparison))
    }

    private static let negations: Set<AttributeClause.Comparison> = [
        .notEqual, .isNoneOf, .doesNotExist, .doesNotIncludeValue, .doesNotContain, .doesNotMatchRegex,
    ]

    private static func value(for comparison: AttributeClause.Comparison) -> JSONValue {
        switch comparison {
        case .isAnyOf, .isNoneOf: [1, "x"]
        case .contains, .doesNotContain, .matchesRegex, .doesNotMatchRegex: "x"
        case .exists, .doesNotExist: .null
        default: 1
        }
    }

    @Test("A custom attribute may share its name with a standard one")
    func separatesNames() throws {
        #expect(try matches(["custom_attribute": ["custom_attribute_name": "country", "value": "custom"]]))
        #expect(try matches(["attribute": "country", "value": "JP"]))
    }

    @Test(
        "What is wrong is named with its code and place",
        arguments: [
            ("[]", "field_invalid", "audience"), ("1", "field_invalid", "audience"),
            (#"{"every":[]}"#, "field_unknown", "audience.every"),
            (#"{"all":{}}"#, "field_invalid", "audience.all"), (#"{"all":null}"#, "field_invalid", "audience.all"),
            (#"{"all":[],"any":[]}"#, "field_invalid", "audience"),
            (#"{"all":[{},{"any":[7]}]}"#, "field_invalid", "audience.all[1].any[0]"),
            (#"{"users":"u"}"#, "field_invalid", "audience.users"),
            (#"{"users":["u",""]}"#, "field_invalid", "audience.users[1]"),
            (#"{"users":["a\nb"]}"#, "field_invalid", "audience.users[0]"),
            (#"{"attribute":null}"#, "field_missing", "audience.attribute"),
            (#"{"attribute":1,"value":1}"#, "field_invalid", "audience.attribute"),
            (#"{"attribute":"","value":1}"#, "field_missing", "audience.attribute"),
            (#"{"attribute":"a"}"#, "field_missing", "audience.value"),
            (#"{"attribute":"a","value":null}"#, "field_missing", "audience.value"),
            (#"{"attribute":"a","comparison":"like","value":1}"#, "field_invalid", "audience.comparison"),
            (#"{"attribute":"a","comparison":"matches_regex","value":"a(b"}"#, "pattern_invalid", "audience.value"),
            (#"{"attribute":"a","comparison":"matches_regex","value":7}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"a","comparison":"contains","value":""}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"a","comparison":"is_any_of","value":[]}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"a","comparison":"is_any_of","value":[["x"]]}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"a","comparison":"less_than_x_days_ago","value":-1}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"a","comparison":"after","value":"soon"}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"app_version","comparison":"less_than","value":"x"}"#, "field_invalid", "audience.value"),
            (#"{"event":"cart"}"#, "field_invalid", "audience.event"),
            (#"{"event":{}}"#, "field_missing", "audience.event.name"),
            (#"{"event":{"name":"a","value":2}}"#, "field_missing", "audience.event.comparison"),
            (#"{"event":{"name":"a","measure":"sum"}}"#, "field_invalid", "audience.event.measure"),
            (#"{"event":{"name":"a","measure":"revenue"}}"#, "field_invalid", "audience.event.measure"),
            (#"{"event":{"name":"a","product_id":"a"}}"#, "field_unknown", "audience.event.product_id"),
            (#"{"event":{"name":"a","comparison":"before","value":1}}"#, "field_invalid", "audience.event.comparison"),
            (#"{"event":{"name":"a","comparison":"equals","value":1.5}}"#, "field_invalid", "audience.event.value"),
            (
                #"{"event":{"name":"a","comparison":"equals","value":100,"within_days":1}}"#, "field_invalid",
                "audience.event.value"
            ),
            (
                #"{"event":{"name":"a","measure":"last","comparison":"exists","within_days":1}}"#, "field_invalid",
                "audience.event.within_days"
            ),
            (
                #"{"event":{"name":"a","within_days":1,"within_calendar_days":1}}"#, "field_invalid",
                "audience.event.within_calendar_days"
            ),
            (#"{"event":{"name":"a","measure":"first"}}"#, "field_missing", "audience.event.comparison"),
            (#"{"purchase":{"measure":"revenue"}}"#, "field_missing", "audience.purchase.currency"),
            (#"{"purchase":{"currency":"USD"}}"#, "field_invalid", "audience.purchase.currency"),
            (
                #"{"purchase":{"measure":"revenue","currency":"USD"}}"#, "field_missing",
                "audience.purchase.comparison"
            ),
            (#"{"campaign":{"contact":"viewed"}}"#, "field_missing", "audience.campaign.id"),
            (#"{"campaign":{"id":"a","contact":"read"}}"#, "field_invalid", "audience.campaign.contact"),
            (#"{"campaign":{"id":"a","variants":["x y"]}}"#, "field_invalid", "audience.campaign.variants[0]"),
            (#"{"segment":"a b"}"#, "field_invalid", "audience.segment"),
            (#"{"random_bucket":{"from":0,"to":10000}}"#, "field_invalid", "audience.random_bucket.to"),
            (#"{"random_bucket":{"from":9,"to":8}}"#, "field_invalid", "audience.random_bucket.to"),
            (
                #"{"last_used_app":{"comparison":"equals","value":1}}"#, "field_invalid",
                "audience.last_used_app.comparison"
            ),
            (
                #"{"email_subscription_status":{"comparison":"is","value":"maybe"}}"#, "field_invalid",
                "audience.email_subscription_status.value"
            ),
            (#"{"attribute":"a","comparison":"exists","value":1}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"a","comparison":"less_than","value":"x"}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"a","comparison":"less_than","value":true}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"a","value":["x"]}"#, "field_invalid", "audience.value"),
            (#"{"attribute":"a","value":1,"valeu":1}"#, "field_unknown", "audience.valeu"),
            (#"{"custom_attribute":null}"#, "field_invalid", "audience.custom_attribute"),
            (#"{"custom_attribute":{"value":1}}"#, "field_missing", "audience.custom_attribute.custom_attribute_name"),
            (
                #"{"custom_attribute":{"custom_attribute_name":"","value":1}}"#, "field_missing",
                "audience.custom_attribute.custom_attribute_name"
            ),
        ] as [(String, String, String)]
    )
    func refuses(text: String, code: String, path: String) throws {
        let json = try JSONValue(parsing: text)
        let error = #expect(throws: ModelError.self) { try Audience(json: json) }
        #expect(error?.code.rawValue == code)
        #expect(error?.path == path)
    }

    @Test("Audiences nest twenty deep and no deeper")
    func limitsDepth() throws {
        func nested(_ depth: Int) -> JSONValue { depth == 1 ? ["users": ["u1"]] : ["all": [nested(depth - 1)]] }
        #expect(try matches(nested(20)))
        #expect(throws: ModelError.self) { try Audience(json: nested(21)) }
    }

    @Test("Audiences have a thousand conditions and no more")
    func limitsSize() throws {
        func wide(_ count: Int) -> JSONValue { ["any": .array(Array(repeating: ["segment": "s"], count: count))] }
        _ = try Audience(json: wide(999))
        #expect(throws: ModelError.self) { try Audience(json: wide(1_000)) }
    }

    @Test("Users whose ids look the same and are not are two users")
    func separatesUsers() {
        let (one, two) = (UserID(rawValue: "caf\u{E9}"), UserID(rawValue: "cafe\u{301}"))
        #expect(one != two)
        #expect(Set([one, two]).count == 2)
        let profile = UserProfile(id: two, createdAt: 0)
        #expect(!AudienceMatcher(.users([one])).matches(Sample.facts(profile)))
    }

    @Test(
        "A locale gives language and region",
        arguments: [
            ("ja-JP", "ja", "JP"), ("en_us", "en", "US"), ("zh-Hant-TW", "zh", "TW"), ("es-419", "es", nil),
            ("fr", "fr", nil),
            ("ja_JP.UTF-8", "ja", "JP"), ("en-u-ca-gregory", "en", nil), ("en-GB-u-ca-buddhist", "en", "GB"),
            ("ja_JP@calendar=japanese", "ja", "JP"), ("en-é", "en", nil), ("", nil, nil), ("-", nil, nil),
            ("en_GB@rg=jpzzzz", "en", "JP"), ("en_US@calendar=japanese;rg=deby", "en", "DE"),
            ("en-GB-u-ca-japanese-rg-jpzzzz", "en", "JP"), ("en-GB-U-RG-usca", "en", "US"),
            ("en_GB@rg=", "en", "GB"), ("en_GB@rg=jp", "en", "GB"), ("en_GB@rg=419zzzz", "en", "GB"),
            ("en-GB-u-rg", "en", "GB"), ("en-GB-x-u-rg-jpzzzz", "en", "GB"), ("en_GB@xrg=jpzzzz", "en", "GB"),
        ] as [(String, String?, String?)]
    )
    func readsLocale(locale: String, language: String?, country: String?) {
        var user = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        user.device.locale = locale
        #expect(user.value(of: .language)?.string == language)
        #expect(user.value(of: .country)?.string == country)
        user.standard[.country] = "FR"
        #expect(user.value(of: .country) == "FR")
    }

    @Test("An update sets and removes attributes and tells whether anything changed")
    func updates() throws {
        var user = Self.user
        let same = UserUpdate(id: user.id, custom: ["plan": "gold", "none": .null])
        let isChangedBySame = try user.apply(same, within: UserLimits())
        let other = UserUpdate(id: user.id, custom: ["plan": .null], standard: [.email: "a@b"])
        let isChangedByOther = try user.apply(other, within: UserLimits())
        #expect(!isChangedBySame && isChangedByOther)
        #expect(!user.custom.keys.contains("plan") && !user.custom.keys.contains("none"))
        #expect(user.value(of: .email) == "a@b")
    }
}
