import CardModel
import Testing
import WireJSON

struct CardLayoutTests {
    @Test(arguments: CardTemplate.Layout.allCases)
    func `A card has to have the texts of its layout and no others`(layout: CardTemplate.Layout) throws {
        var members: JSONObject = ["type": .string(layout.rawValue)]
        for name in layout.shape.requiredFields { members[name] = "https://example.com/a.png" }
        #expect(try CardTemplate(json: .object(members), at: "card").layout == layout)
        for name in layout.shape.requiredFields {
            for text in [nil, ""] as [JSONValue?] {
                var other = members
                other[name] = text
                let error = #expect(throws: ModelError.self) { try CardTemplate(json: .object(other), at: "card") }
                #expect(error?.code == .fieldMissing && error?.path == "card.\(name)")
            }
        }
    }
}
