import Testing
import WireJSON

@testable import CardModel

@Suite("Filters of an audience at the bounds of their fields")
struct FilterFieldTests {
    private func error(_ json: JSONValue) -> ModelError? {
        do throws(ModelError) {
            _ = try Audience(json: json)
            return nil
        } catch {
            return error
        }
    }

    private func path(_ json: JSONValue) -> String? { error(json)?.path }

    private func clause(_ comparison: String, _ value: JSONValue?, of name: String = "a") -> JSONValue {
        var members: JSONObject = ["attribute": .string(name), "comparison": .string(comparison)]
        if let value { members["value"] = value }
        return .object(members)
    }

    /// Values that each comparison takes, and such that it doesn't.
    private static let values: [(comparisons: [String], taken: [JSONValue], refused: [JSONValue])] = [
        (
            ["equals", "not_equal", "does_not_equal", "includes_value", "does_not_include_value"],
            ["", "x", 0, -1.5, true, false], [["x"], [:], []]
        ),
        (
            ["is_any_of", "is_none_of"], [["x"], [1, true, "y", 2.5], [""]],
            ["x", 1, [], [["x"]], [.null], [[:]], [:], [1, .null]]
        ),
        (
            ["greater_than", "greater_than_or_equal_to", "less_than", "less_than_or_equal_to"],
            [0, -1e300, "2027-01-31", "2027-01-31T09:00:00+09:00"], ["x", "", true, [1], [:]]
        ), (["before", "after"], [0, -5, "2027-01-31"], ["soon", "", false, [0], [:]]),
        (
            [
                "less_than_x_days_ago", "greater_than_x_days_ago", "less_than_x_days_in_the_future",
                "greater_than_x_days_in_the_future",
            ],
            [0, 0.5, 36_525], [-0.001, 36_525.001, "1", true, [1], "2027-01-31"]
        ), (["contains", "does_not_contain"], ["x", " "], ["", 1, true, ["x"], [:]]),
        (["matches_regex", "does_not_match_regex"], ["", "x", "^a+$"], [1, true, ["x"], [:]]),
    ]

    @Test("A comparison takes the values of its kind and no others", arguments: values)
    func comparisons(comparisons: [String], taken: [JSONValue], refused: [JSONValue]) {
        for comparison in comparisons {
            for value in taken { #expect(path(clause(comparison, value)) == nil, "\(comparison) \(value.text)") }
            for value in refused {
                let error = error(clause(comparison, value))
                #expect(error?.path == "audience.value", "\(comparison) \(value.text)")
                #expect(error?.code == .fieldInvalid)
            }
            for missing in [nil, .some(.null)] as [JSONValue?] {
                #expect(error(clause(comparison, missing))?.code == .fieldMissing)
            }
        }
    }

    @Test("Each comparison is in exactly one of the kinds")
    func all() {
        let listed =
            Self.values.flatMap(\.comparisons).filter { $0 != "does_not_equal" } + ["exists", "does_not_exist"]
        #expect(listed.sorted() == AttributeClause.Comparison.allCases.map(\.rawValue).sorted())
        for comparison in ["exists", "does_not_exist"] {
            #expect(path(clause(comparison, nil)) == nil && path(clause(comparison, .null)) == nil)
            for value in [0, false, "", []] as [JSONValue] {
                #expect(path(clause(comparison, value)) == "audience.value")
            }
        }
    }

    @Test("The version of an app is compared with a version, and with a text otherwise")
    func versions() {
        for comparison in ["greater_than", "less_than_or_equal_to"] {
            for version in ["2", "2.10.1", "2.10-beta", 2, 2.5] as [JSONValue] {
                #expect(path(clause(comparison, version, of: "app_version")) == nil)
            }
            for other in ["", "v2", ".1", true, ["2"]] as [JSONValue] {
                #expect(path(clause(comparison, other, of: "app_version")) == "audience.value", "\(other.text)")
            }
        }
        #expect(path(clause("equals", "v2", of: "app_version")) == nil)
    }

    @Test("A value has 4,096 bytes of JSON and a list a thousand values, and not more")
    func sizes() {
        func text(_ bytes: Int) -> JSONValue { .string(String(repeating: "x", count: bytes - 2)) }
        #expect(path(clause("equals", text(4_096))) == nil)
        #expect(path(clause("equals", text(4_097))) == "audience.value")
        #expect(path(clause("contains", text(4_097))) == "audience.value")
        func list(_ count: Int) -> JSONValue { .array((0..<count).map { .integer(Int64($0)) }) }
        #expect(path(clause("is_any_of", list(1_000))) == nil)
        #expect(path(clause("is_none_of", list(1_001))) == "audience.value")
    }

    @Test("The name of an attribute has 1 to 255 bytes without control characters")
    func names() {
        #expect(path(clause("exists", nil, of: String(repeating: "n", count: 255))) == nil)
        for name in [String(repeating: "n", count: 256), "a\nb", "a\u{202E}b", "\u{7F}"] {
            let error = error(clause("exists", nil, of: name))
            #expect(error?.path == "audience.attribute" && error?.code == .fieldInvalid)
            let custom: JSONValue = ["custom_attribute": ["custom_attribute_name": .string(name), "value": 1]]
            #expect(path(custom) == "audience.custom_attribute.custom_attribute_name")
        }
        #expect(error(clause("exists", nil, of: ""))?.code == .fieldMissing)
    }

    @Test(
        "A subscription is or is not one of three, and without one a user is subscribed",
        arguments: ["email_subscription_status", "push_subscription_status"]
    )
    func subscriptions(filter: String) throws {
        let attribute: StandardAttribute = filter.hasPrefix("email") ? .emailSubscription : .pushSubscription
        func meant(_ comparison: String, _ value: String, of said: String?) throws -> Bool {
            let audience = try Audience(json: [filter: ["comparison": .string(comparison), "value": .string(value)]])
            #expect(try Audience(json: audience.json) == audience)
            var profile = Sample.user().profile
            profile.standard[attribute] = said.map(JSONValue.string)
            return AudienceMatcher(audience).matches(Sample.facts(profile))
        }
        let states = ["opted_in", "subscribed", "unsubscribed"]
        for value in states {
            for said in [nil, "opted_in", "subscribed", "unsubscribed"] as [String?] {
                let isSo = (said ?? "subscribed") == value
                #expect(try meant("is", value, of: said) == isSo, "\(value) of \(said ?? "nothing")")
                #expect(try meant("is_not", value, of: said) == !isSo, "\(value) of \(said ?? "nothing")")
            }
        }
        for (comparison, value) in [("equals", "opted_in"), ("is", "Opted_in"), ("is", ""), ("", "subscribed")] {
            let json: JSONValue = [filter: ["comparison": .string(comparison), "value": .string(value)]]
            #expect(path(json)?.hasPrefix("audience.\(filter).") == true)
        }
        #expect(error([filter: ["comparison": "is"]])?.path == "audience.\(filter).value")
        #expect(error([filter: ["value": "opted_in"]])?.path == "audience.\(filter).comparison")
        #expect(error([filter: ["comparison": "is", "value": "opted_in", "name": "x"]])?.code == .fieldUnknown)
    }

    @Test("The last use of an app is before or after a moment")
    func lastUsedApp() throws {
        for (comparison, isMeant) in [("before", true), ("after", false)] {
            let json: JSONValue = ["last_used_app": ["comparison": .string(comparison), "value": "2027-01-31"]]
            var profile = Sample.user().profile
            profile.lastSeenAt = 1_801_353_599
            let matcher = AudienceMatcher(try Audience(json: json))
            #expect(matcher.matches(Sample.facts(profile)) == isMeant)
            profile.lastSeenAt = 1_801_353_600
            #expect(!matcher.matches(Sample.facts(profile)), "The moment itself is neither.")
            profile.lastSeenAt = nil
            #expect(!matcher.matches(Sample.facts(profile)))
        }
        for comparison in ["exists", "less_than_x_days_ago", "equals"] {
            let json: JSONValue = ["last_used_app": ["comparison": .string(comparison), "value": 1]]
            #expect(path(json)?.hasPrefix("audience.last_used_app.") == true)
        }
    }

    @Test("A random number is of 0 to 9,999, and both ends of a range are in it")
    func buckets() throws {
        func bucket(_ members: JSONObject) -> JSONValue { ["random_bucket": .object(members)] }
        #expect(try Audience(json: bucket([:])) == .bucket(RandomBucket(0...9_999)))
        #expect(try Audience(json: bucket(["from": 7])) == .bucket(RandomBucket(7...9_999)))
        #expect(try Audience(json: bucket(["to": 7, "from": 7])) == .bucket(RandomBucket(7...7)))
        #expect(path(bucket(["from": -1])) == "audience.random_bucket.from")
        #expect(path(bucket(["from": 10_000])) == "audience.random_bucket.from")
        #expect(path(bucket(["from": 0.5])) == "audience.random_bucket.from")
        #expect(path(bucket(["to": "9"])) == "audience.random_bucket.to")
        #expect(path(bucket(["salt": .string(String(repeating: "s", count: 64))])) == nil)
        #expect(path(bucket(["salt": .string(String(repeating: "s", count: 65))])) == "audience.random_bucket.salt")
        #expect(path(bucket(["seed": "x"])) == "audience.random_bucket.seed")
        let user = UserID(rawValue: "ann")
        let number = RandomBucket.number(of: user, salt: "s")
        for (range, isMeant) in [
            (number...number, true), (number...9_999, true), (0...number, true), (0...max(0, number - 1), number == 0),
        ] {
            let matcher = AudienceMatcher(.bucket(RandomBucket(range, salt: "s")))
            #expect(matcher.matches(Sample.facts(UserProfile(id: user, createdAt: 0))) == isMeant)
        }
    }

    @Test("A campaign's filter takes a hundred variants, four contacts and one window")
    func contacts() throws {
        func campaign(_ members: JSONObject) -> JSONValue {
            var all: JSONObject = ["id": "sale"]
            all.merge(members) { $1 }
            return ["campaign": .object(all)]
        }
        func variants(_ count: Int) -> JSONValue { .array((0..<count).map { .string("v\($0)") }) }
        #expect(path(campaign(["variants": variants(100)])) == nil)
        #expect(path(campaign(["variants": variants(101)])) == "audience.campaign.variants")
        #expect(path(campaign(["variants": [1]])) == "audience.campaign.variants[0]")
        #expect(path(campaign(["id": "a b"])) == "audience.campaign.id")
        #expect(path(campaign(["within_days": 36_525])) == nil)
        #expect(path(campaign(["within_days": 36_525.5])) == "audience.campaign.within_days")
        #expect(path(campaign(["within_calendar_days": 0])) == "audience.campaign.within_calendar_days")
        #expect(path(campaign(["within_calendar_days": 1.5])) == "audience.campaign.within_calendar_days")
        #expect(path(campaign(["measure": "count"])) == "audience.campaign.measure")
        let received = Audience.contact(ContactClause(.received, CampaignID(rawValue: "sale")))
        #expect(try Audience(json: campaign([:])) == received)
        for contact in ContactClause.Contact.allCases {
            let json = campaign(["contact": .string(contact.rawValue), "variants": ["b", "a", "b"], "within_days": 2])
            let audience = try Audience(json: json)
            #expect(audience.json["campaign"]?["variants"] == ["a", "b"])
            #expect(try Audience(json: audience.json) == audience)
        }
    }
}
