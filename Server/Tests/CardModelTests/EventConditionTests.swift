import Testing
import WireJSON

@testable import CardModel

@Suite("Conditions on events, and the rules of a campaign")
struct EventConditionTests {
    private func failure(_ rules: JSONValue) -> ModelError? {
        do throws(ModelError) {
            _ = try Campaign.Rules(json: rules, at: "rules")
            return nil
        } catch {
            return error
        }
    }

    private func event(_ name: String, _ properties: JSONValue? = nil, at time: UnixTime = 10) -> DeviceEvent {
        DeviceEvent(
            id: EventID(high: 1, low: 1),
            kind: .custom(name: ByteString(name)),
            at: time,
            properties: properties?.bytes
        )
    }

    private func purchase(_ product: String, _ price: Amount = 5, properties: JSONValue? = nil) -> DeviceEvent {
        let purchase = DeviceEvent.Purchase(productID: product, currency: "EUR", price: price, quantity: 2)
        let id = EventID(high: 1, low: 2)
        return DeviceEvent(id: id, kind: .purchase(purchase), at: 10, properties: properties?.bytes)
    }

    private func holds(_ json: JSONValue, _ event: DeviceEvent) throws -> Bool {
        let condition = try EventCondition(json: json, at: "on")
        #expect(try EventCondition(json: JSONValue(parsing: condition.json.text), at: "on") == condition)
        return EventMatcher(condition).matches(ReadableEvent(event))
    }

    @Test(
        "What is wrong in rules is named where it is",
        arguments: [
            ("[]", "field_invalid", "rules"), (#"{"freeze":1}"#, "field_invalid", "rules.freeze"),
            (#"{"follow_audience":"yes"}"#, "field_invalid", "rules.follow_audience"),
            (#"{"ignore_quiet_hours":0}"#, "field_invalid", "rules.ignore_quiet_hours"),
            (#"{"ignore_frequency_caps":[]}"#, "field_invalid", "rules.ignore_frequency_caps"),
            (#"{"frozen":true}"#, "field_unknown", "rules.frozen"),
            (#"{"reeligible":"after"}"#, "field_invalid", "rules.reeligible"),
            (#"{"reeligible_after_days":-1}"#, "field_invalid", "rules.reeligible_after_days"),
            (#"{"reeligible_after_days":3650.5}"#, "field_invalid", "rules.reeligible_after_days"),
            (#"{"reeligible":false,"reeligible_after_days":1}"#, "field_invalid", "rules.reeligible_after_days"),
            (#"{"remove_on":{}}"#, "field_invalid", "rules.remove_on"),
            (#"{"remove_on":["bought"]}"#, "field_invalid", "rules.remove_on[0]"),
            (#"{"remove_on":[{"event":"a"},{}]}"#, "field_missing", "rules.remove_on[1].event"),
            (#"{"remove_on":[{"event":""}]}"#, "field_invalid", "rules.remove_on[0].event"),
            (#"{"remove_on":[{"event":1}]}"#, "field_invalid", "rules.remove_on[0].event"),
            (#"{"remove_on":[{"event":"a","purchase":true}]}"#, "field_invalid", "rules.remove_on[0].purchase"),
            (#"{"remove_on":[{"purchase":false}]}"#, "field_invalid", "rules.remove_on[0].purchase"),
            (#"{"remove_on":[{"purchase":""}]}"#, "field_invalid", "rules.remove_on[0].purchase"),
            (#"{"remove_on":[{"session_start":true}]}"#, "field_unknown", "rules.remove_on[0].session_start"),
            (#"{"remove_on":[{"event":"a","properties":{}}]}"#, "field_invalid", "rules.remove_on[0].properties"),
            (
                #"{"remove_on":[{"event":"a","properties":[{"value":1}]}]}"#, "field_missing",
                "rules.remove_on[0].properties[0].property"
            ),
            (
                #"{"remove_on":[{"event":"a","properties":[{"property":"","value":1}]}]}"#, "field_missing",
                "rules.remove_on[0].properties[0].property"
            ),
            (
                #"{"remove_on":[{"event":"a","properties":[{"property":"p"}]}]}"#, "field_missing",
                "rules.remove_on[0].properties[0].value"
            ),
            (
                #"{"remove_on":[{"event":"a","properties":[{"attribute":"p","value":1}]}]}"#, "field_unknown",
                "rules.remove_on[0].properties[0].attribute"
            ),
            (
                #"{"remove_on":[{"event":"a","properties":[{"property":"p","comparison":"matches_regex","#
                    + #""value":"("}]}]}"#,
                "pattern_invalid", "rules.remove_on[0].properties[0].value"
            ),
        ]
    )
    func refuses(text: String, code: String, path: String) throws {
        let error = failure(try JSONValue(parsing: text))
        #expect(error?.code.rawValue == code && error?.path == path)
    }

    @Test("There are ten removal events of twenty conditions at most")
    func limits() {
        let event: JSONValue = ["event": "a"]
        #expect(failure(["remove_on": .array(Array(repeating: event, count: 10))]) == nil)
        #expect(failure(["remove_on": .array(Array(repeating: event, count: 11))])?.path == "rules.remove_on")
        func conditions(_ count: Int) -> JSONValue {
            let one: JSONValue = ["property": "p", "value": 1]
            return ["remove_on": [["event": "a", "properties": .array(Array(repeating: one, count: count))]]]
        }
        #expect(failure(conditions(20)) == nil)
        #expect(failure(conditions(21))?.path == "rules.remove_on[0].properties")
    }

    @Test(
        "Re-eligibility is never, after some days, at once, or as the delivery has it",
        arguments: [
            ([:], nil), (["reeligible": false], .never), (["reeligible": true], .after(seconds: 0)),
            (["reeligible_after_days": 0], .after(seconds: 0)),
            (["reeligible_after_days": 2], .after(seconds: 172_800)),
            (["reeligible": true, "reeligible_after_days": 0.5], .after(seconds: 43_200)),
            (["reeligible": .null, "reeligible_after_days": 3_650], .after(seconds: 315_360_000)),
        ] as [(JSONValue, Campaign.Rules.Reeligibility?)]
    )
    func reeligibility(json: JSONValue, expected: Campaign.Rules.Reeligibility?) throws {
        let rules = try Campaign.Rules(json: json, at: "rules")
        #expect(rules.reeligibility == expected)
        #expect(try Campaign.Rules(json: JSONValue(parsing: rules.json.text), at: "rules") == rules)
        let trigger = EventCondition(.event("go"))
        for (delivery, usual) in [
            (.scheduled(start: nil, end: nil), .never), (.scheduledLocally(start: nil, end: nil), .never),
            (.action(Campaign.ActionDelivery(trigger: trigger)), .never),
            (.apiTriggered(Campaign.APIDelivery()), .after(seconds: 0)),
        ] as [(Campaign.DeliveryMode, Campaign.Rules.Reeligibility)] {
            let content = Sample.campaign("c", delivery: delivery, rules: rules).content
            #expect(content.reeligibility == expected ?? usual)
        }
    }

    @Test("Rules that say nothing are left out, and each that says something is there")
    func writes() throws {
        #expect(Campaign.Rules().json == [:])
        #expect(try Campaign.Rules(json: .null, at: "rules") == Campaign.Rules())
        let all = Campaign.Rules(
            reeligibility: .after(seconds: 86_400),
            removal: [EventCondition(.purchase(product: nil)), EventCondition(.purchase(product: "cup"))],
            followsAudience: true,
            freezes: true,
            ignoresFrequencyCaps: true,
            ignoresQuietHours: true
        )
        #expect(try Campaign.Rules(json: JSONValue(parsing: all.json.text), at: "rules") == all)
        #expect(all.json.object?.count == 7)
    }

    @Test("An event is the one of its name, byte by byte, and a purchase the one of its product")
    func subjects() throws {
        #expect(try holds(["event": "cart"], event("cart")))
        #expect(try !holds(["event": "cart"], event("Cart")) && !holds(["event": "caf\u{E9}"], event("cafe\u{301}")))
        #expect(try !holds(["event": "cup"], purchase("cup")) && !holds(["purchase": "cart"], event("cart")))
        #expect(try holds(["purchase": true], purchase("cup")) && holds(["purchase": "cup"], purchase("cup")))
        #expect(try !holds(["purchase": "cup"], purchase("mug")) && !holds(["purchase": true], event("cup")))
        let session = DeviceEvent(id: EventID(high: 1, low: 3), kind: .sessionStart, at: 0)
        #expect(try !holds(["event": "session_start"], session))
    }

    @Test("All conditions have to hold, of the properties and of what the purchase itself says")
    func properties() throws {
        func condition(_ subject: JSONObject, _ conditions: [JSONValue]) -> JSONValue {
            .object(subject.merging(["properties": .array(conditions)]) { $1 })
        }
        let large: JSONValue = ["property": "size", "comparison": "greater_than", "value": 10]
        let red: JSONValue = ["property": "color", "value": "red"]
        let both = condition(["event": "cart"], [large, red])
        #expect(try holds(both, event("cart", ["size": 11, "color": "red"])))
        #expect(try !holds(both, event("cart", ["size": 10, "color": "red"])))
        #expect(try !holds(both, event("cart", ["size": 11])) && !holds(both, event("cart")))
        let own: [JSONValue] = [
            ["property": "product_id", "value": "cup"], ["property": "currency", "value": "EUR"],
            ["property": "price", "comparison": "greater_than_or_equal_to", "value": 5],
            ["property": "quantity", "value": 2], red,
        ]
        let bought = condition(["purchase": true], own)
        #expect(try holds(bought, purchase("cup", properties: ["color": "red"])))
        #expect(try !holds(bought, purchase("cup")) && !holds(bought, purchase("cup", 4, properties: ["color": "red"])))
        // What a property says of the product is not what was bought.
        #expect(try !holds(bought, purchase("mug", properties: ["color": "red", "product_id": "cup"])))
        // A property is none of the user's attributes, whatever its name.
        let named = condition(["event": "cart"], [["property": "country", "value": "JP"]])
        #expect(try holds(named, event("cart", ["country": "JP"])) && !holds(named, event("cart")))
    }

    @Test("A time is compared with that of the event, not with now")
    func times() throws {
        let recent: JSONValue = [
            "event": "cart",
            "properties": [["property": "since", "comparison": "less_than_x_days_ago", "value": 1]],
        ]
        #expect(try holds(recent, event("cart", ["since": 1_000_000], at: 1_086_399)))
        #expect(try !holds(recent, event("cart", ["since": 1_000_000], at: 1_086_400)))
    }

    @Test("Properties that can't be read are none")
    func broken() throws {
        var broken = event("cart")
        for bytes in ["", "{", "[1]", "5"] {
            broken.properties = Array(bytes.utf8)
            #expect(broken.readableProperties.isEmpty)
            #expect(try holds(["event": "cart"], broken))
        }
        var bought = purchase("cup")
        bought.properties = [0xFF]
        #expect(bought.readableProperties.keys == ["product_id", "currency", "price", "quantity"])
    }
}
