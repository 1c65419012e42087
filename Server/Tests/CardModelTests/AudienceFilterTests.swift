import Testing
import WireJSON

@testable import CardModel

struct AudienceFilterTests {
    @Test func `Each name on the wire belongs to one filter, and a mistake is told all of them`() {
        let names = Audience.filterShapes.map(\.name)
        #expect(Set(names).count == names.count)
        let error = #expect(throws: ModelError.self) { try Audience(json: ["nothing": 1]) }
        for name in names { #expect(error?.message.contains(name) == true, "\(name)") }
    }

    @Test(
        arguments: [
            .users([UserID(rawValue: "ann")]), .attribute(AttributeClause(.standard(.country), .exists)),
            .history(HistoryClause(.session)), .contact(ContactClause(.viewed, CampaignID(rawValue: "sale"))),
            .segment(SegmentID(rawValue: "club")), .bucket(RandomBucket(0...9)),
        ] as [Audience]
    )
    func `A filter is read back under a name that it is known by`(audience: Audience) throws {
        #expect(try Audience(json: audience.json) == audience)
        #expect(Audience.filterShapes.map(\.name).contains(audience.condition))
        #expect(audience.isLeaf && audience.json[audience.condition] != nil)
    }

    @Test func `The schema of a filter with plain fields follows from them`() throws {
        let plain = Audience.filterShapes.filter { !$0.fields.isEmpty }
        #expect(plain.map(\.name) == ["users", "random_bucket"])
        let bucket = try #require(plain.last?.schema)
        #expect(bucket["additionalProperties"] == false && bucket["required"] == nil)
        #expect(bucket["properties"]?["to"] == ["type": "integer", "minimum": 0, "maximum": 9_999])
        #expect(plain.first?.schema == ["type": "array", "items": ["type": "string"]])
    }

    @Test func `A filter that lists users by their ids says so, and is about who a user is`() {
        #expect(Audience.filterShapes.filter(\.listsUsers).map(\.name) == ["users"])
        #expect(UsersFilter([UserID(rawValue: "ann")]).identifiesUsers)
    }
}
