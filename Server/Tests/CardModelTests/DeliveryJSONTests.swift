import CardModel
import Testing
import WireJSON

@Suite("Deliveries, rules and limits in JSON")
struct DeliveryJSONTests {
    private static let card: JSONValue = ["type": "classic", "title": "T", "description": "D"]

    private func content(_ delivery: JSONValue, rules: JSONValue = .null) throws -> Campaign.Content {
        let json: JSONValue = ["name": "n", "delivery": delivery, "rules": rules, "variants": [["card": Self.card]]]
        return try Campaign.Content(json: json)
    }

    @Test(
        "Every delivery is read back as it was written",
        arguments: [
            ["type": "scheduled", "start_at": 10, "end_at": .null],
            [
                "type": "scheduled", "start_at": "2027-01-31T09:00:00", "end_at": "2027-02-01T00:00:00",
                "local_time": true,
            ],
            [
                "type": "action",
                "trigger": [
                    "event": "cart",
                    "properties": [["property": "sku", "comparison": "equals", "value": "x"]],
                ], "delay": 60, "window": 3600, "start_at": .null, "end_at": 90,
            ],
            [
                "type": "action", "trigger": ["purchase": true], "delay": 0, "window": 2_592_000, "start_at": .null,
                "end_at": .null,
            ],
            [
                "type": "action", "trigger": ["purchase": "sku-1"], "delay": 0, "window": 2_592_000, "start_at": .null,
                "end_at": .null,
            ],
            ["type": "api_triggered", "window": 60, "start_at": .null, "end_at": .null],
        ] as [JSONValue]
    )
    func deliveries(json: JSONValue) throws {
        let content = try content(json)
        #expect(content.json["delivery"]?.text == json.text)
        #expect(try Campaign.Content(json: .object(content.json)) == content)
    }

    @Test("Rules are read back as they were written, and none are none")
    func rules() throws {
        let json: JSONValue = [
            "reeligible": true, "reeligible_after_days": 7,
            "remove_on": [["event": "gone"], ["purchase": true]], "follow_audience": true, "freeze": true,
            "ignore_frequency_caps": true, "ignore_quiet_hours": true,
        ]
        #expect(try content(.null, rules: json).json["rules"]?.text == json.text)
        #expect(try content(.null).rules == Campaign.Rules())
        #expect(try content(.null).reeligibility == .never)
        #expect(try content(["type": "api_triggered"]).reeligibility == .after(seconds: 0))
        #expect(try content(["type": "api_triggered"], rules: ["reeligible": false]).reeligibility == .never)
    }

    @Test(
        "What is wrong is named",
        arguments: [
            (["type": "never"], .null, "delivery.type"),
            (
                ["type": "scheduled", "start_at": "2027-01-31T09:00:00Z", "local_time": true], .null,
                "delivery.start_at"
            ),
            (
                ["start_at": "2027-01-31T09:00:00", "end_at": "2027-01-31T08:00:00", "local_time": true], .null,
                "delivery.end_at"
            ),
            (["type": "action"], .null, "delivery.trigger"),
            (["type": "action", "trigger": [:]], .null, "delivery.trigger.event"),
            (["type": "action", "trigger": ["event": "a", "purchase": true]], .null, "delivery.trigger.purchase"),
            (["type": "action", "trigger": ["event": "a"], "delay": -1], .null, "delivery.delay"),
            (["type": "api_triggered", "window": 0], .null, "delivery.window"),
            (["type": "api_triggered", "delay": 1], .null, "delivery.delay"),
            (.null, ["reeligible": false, "reeligible_after_days": 1], "rules.reeligible_after_days"),
            (.null, ["remove_on": [["purchase": 5]]], "rules.remove_on[0].purchase"),
            (.null, ["unknown": 1], "rules.unknown"),
        ] as [(JSONValue, JSONValue, String)]
    )
    func errors(delivery: JSONValue, rules: JSONValue, path: String) {
        let error = #expect(throws: ModelError.self) { try content(delivery, rules: rules) }
        #expect(error?.path == path)
    }

    @Test("Caps and quiet hours are part of the settings")
    func settings() throws {
        let json: JSONValue = [
            "frequency_caps": [["cards": 2, "days": 1], ["cards": 5, "days": 7, "tag": "promo"]],
            "quiet_hours": ["from": "22:30", "to": "07:05"],
        ]
        let settings = try Settings(json: json)
        #expect(
            settings.frequencyCaps == [FrequencyCap(cards: 2, days: 1), FrequencyCap(cards: 5, days: 7, tag: "promo")]
        )
        #expect(settings.quietHours == QuietHours(from: 1_350, to: 425))
        #expect(try Settings(json: settings.json) == settings)
        for wrong: JSONValue in [
            ["quiet_hours": ["from": "24:00", "to": "07:00"]], ["quiet_hours": ["from": "7", "to": "8"]],
            ["quiet_hours": ["from": "07:00", "to": "07:00"]], ["frequency_caps": [["cards": 0, "days": 1]]],
            ["frequency_caps": 3],
        ] {
            #expect(throws: ModelError.self) { try Settings(json: wrong) }
        }
    }
}
