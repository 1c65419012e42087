import CardModel
import Testing
import WireJSON

@testable import Dashboard

struct PlainFilterFormTests {
    private let audience = AudienceFields(times: DraftTimes(zone: "UTC"))

    @Test(
        arguments: [
            ["users": ["ann", "b, c"]], ["users": []], ["random_bucket": ["from": 10, "to": 4_999, "salt": "x"]],
            ["random_bucket": ["to": 7]], ["random_bucket": [:]],
        ] as [JSONValue]
    )
    func `A filter with plain fields comes back from its form as it was`(json: JSONValue) throws {
        let group = audience.fields(of: json)
        let fields = try #require(group[.items]?.array?.first)
        #expect(json[fields.value(.kind)] != nil)
        #expect(audience.audience(of: group, BaseValues()) == ["all": [json]])
    }

    @Test func `A number that is none is sent as it was typed, for the server to refuse`() {
        let fields: JSONValue = ["kind": "all", "items": [["kind": "random_bucket", "from": " x ", "to": " "]]]
        #expect(audience.audience(of: fields, BaseValues()) == ["all": [["random_bucket": ["from": "x"]]]])
    }

    @Test(arguments: [":", "::", ":x", "x:", "x"])
    func `A test of events that no form offers is sent for the server to refuse`(test: String) {
        let fields: JSONValue = ["kind": "all", "items": [["kind": "event", "name": "a", "test": .string(test)]]]
        let sent = audience.audience(of: fields, BaseValues())
        #expect(throws: ModelError.self) { try Audience(json: sent) }
    }

    @Test func `Filters with other than plain fields have forms of their own`() {
        #expect(PlainFilterForm("attribute") == nil && PlainFilterForm("segment") == nil && PlainFilterForm("x") == nil)
    }
}
