import CardModel
import Testing
import WireJSON

struct AudienceIdentityTests {
    private func identifies(_ json: JSONValue, _ segments: [SegmentID: Audience] = [:]) throws -> Bool {
        try Audience(json: json).identifiesUsers(in: segments)
    }

    @Test(
        arguments: [
            ["users": ["ann"]],
            ["attribute": "user_id", "comparison": "equals", "value": "ann"],
            ["attribute": "email", "comparison": "matches_regex", "value": "^a"],
            ["all": [["none": [["attribute": "phone", "comparison": "exists"]]]]],
            ["any": [["attribute": "country", "comparison": "equals", "value": "JP"], ["segment": "named"]]],
        ] as [JSONValue]
    )
    func `Conditions on who a user is are found at any depth`(json: JSONValue) throws {
        let named = SegmentID(rawValue: "named")
        let segments: [SegmentID: Audience] = [
            named: .any([.segment(SegmentID(rawValue: "inner")), .segment(named)]),
            SegmentID(rawValue: "inner"): .users([UserID(rawValue: "ann")]),
        ]
        #expect(try identifies(json, segments))
    }

    @Test func `Conditions on what users do and where they live identify nobody`() throws {
        #expect(try !identifies(["attribute": "country", "comparison": "equals", "value": "JP"]))
        #expect(try !identifies(["custom_attribute": ["custom_attribute_name": "email", "comparison": "exists"]]))
        let itself = SegmentID(rawValue: "itself")
        #expect(try !identifies(["segment": "itself"], [itself: .all([.segment(itself), .everyone])]))
    }
}
