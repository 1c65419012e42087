import CardModel
import Testing
import WireJSON

@Suite("Conversions are read from JSON")
struct ConversionJSONTests {
    private func content(_ conversions: JSONValue) throws -> Campaign.Content {
        try Campaign.Content(json: [
            "name": "c", "variants": [["card": ["type": "classic", "title": "t", "description": "d"]]],
            "conversions": conversions,
        ])
    }

    @Test("All forms are read, and come back as they are")
    func reads() throws {
        let content = try content([
            ["id": "bought", "on": ["purchase": true]],
            ["id": "tea", "name": "Tea", "on": ["purchase": "tea"], "window_seconds": 60, "from": "impression"],
            ["id": "opened", "on": ["session_start": true], "window_seconds": 2_592_000],
            [
                "id": "signup",
                "on": [
                    "event": "signup", "properties": [["property": "plan", "comparison": "equals", "value": "pro"]],
                ],
            ],
        ])
        #expect(content.conversions.map(\.window) == [259_200, 60, 2_592_000, 259_200])
        #expect(content.conversions.map(\.opening) == [.delivery, .impression, .delivery, .delivery])
        #expect(content.conversions.map(\.hasAmounts) == [true, true, false, false])
        #expect(try Campaign.Content(json: .object(content.json)) == content)
    }

    @Test(
        "What is wrong is named with its place",
        arguments: [
            ([["id": "a"]], "conversions[0].on"), ([["on": ["purchase": true]]], "conversions[0].id"),
            ([["id": "a b", "on": ["purchase": true]]], "conversions[0].id"),
            ([["id": "a", "on": ["session_start": false]]], "conversions[0].on.session_start"),
            ([["id": "a", "on": ["click": true]]], "conversions[0].on.click"),
            ([["id": "a", "on": ["purchase": true], "from": "click"]], "conversions[0].from"),
            (
                [["id": "a", "on": ["purchase": true], "window_seconds": 2_592_001]],
                "conversions[0].window_seconds"
            ), ([["id": "a", "on": ["purchase": true], "window_seconds": 0]], "conversions[0].window_seconds"),
            (
                [["id": "a", "on": ["purchase": true]], ["id": "a", "on": ["purchase": true]]], "conversions[1].id"
            ), (.array(Array(repeating: ["id": "a", "on": ["purchase": true]], count: 5)), "conversions"),
        ] as [(JSONValue, String)]
    )
    func refuses(json: JSONValue, path: String) {
        let error = #expect(throws: ModelError.self) { try content(json) }
        #expect(error?.path == path)
    }
}
