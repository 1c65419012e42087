import CardModel
import Testing
import WireJSON

@Suite("Changes in the audit log")
struct AuditChangeTests {
    @Test("A change is read as it was written, and what is no change is left out")
    func roundTrip() throws {
        let change = AuditChange("name", from: .null, to: ["a": [1]])
        #expect(AuditChange(json: change.json) == change)
        let details: JSONValue = ["changes": [change.json, "x", ["previous": 1], ["field": "b"]]]
        #expect(AuditChange.list(in: details) == [change, AuditChange("b", from: .null, to: .null)])
        #expect(AuditChange.list(in: ["changes": "x"]) == nil)
        #expect(AuditChange.list(in: ["reason": "x"]) == nil)
    }

    @Test("An edit of settings and of a key tells each field that is different")
    func edits() throws {
        var settings = Settings()
        settings.cardLimit = 7
        let told = AuditChange.list(in: ["changes": settings.changes(from: Settings())])
        #expect(told?.map(\.field) == ["card_limit"])
        #expect(told?.first?.current == 7)
    }
}
