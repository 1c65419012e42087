import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: editing segments")
struct SegmentEditTests {
    private static let id = SegmentID(rawValue: "gold")
    private static let address = "/dashboard/segments/gold"

    private static func add(to place: Workplace) async throws {
        let json = try JSONValue(parsing: #"{"all":[{"attribute":"plan","value":"gold"}]}"#)
        let content = Segment.SegmentContent(name: "Gold", description: "Who pays", audience: try Audience(json: json))
        try await place.store.insertSegment(Segment(id: id, content: content, createdAt: place.time.now), by: .command)
    }

    /// A draft for the users of the segment.
    private static func addCampaign(_ id: String, to place: Workplace) async throws {
        var card = CardTemplate(layout: .classic)
        (card.title, card.description) = ("T", "D")
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
        let content = Campaign.Content(
            name: "Sale <\(id)>",
            audience: .all([.segment(Self.id)]),
            variants: [variant]
        )
        let campaign = Campaign(id: CampaignID(rawValue: id), content: content, createdAt: place.time.now)
        try await place.store.insertCampaign(campaign, by: .command)
    }

    private static func launch(_ id: String, _ visitor: Visitor) async throws {
        let address = "/dashboard/campaigns/\(id)/launch"
        #expect(try await visitor.post(address, from: address, ["version": "1"]).status == 303)
    }

    /// The form as a browser sends it.
    private static func form(_ visitor: Visitor) async throws -> [String: String] {
        FormReader.fields(of: try await visitor.get(address).text, to: address)
    }

    private static func send(_ form: [String: String], _ visitor: Visitor) async throws -> Visitor.Page {
        try await visitor.post(address, from: address, form)
    }

    @Test("What two members change at the same time is merged, and the second one sees what the first one changed")
    func conflict() async throws {
        try await Workplace.run { place in
            try await Self.add(to: place)
            let anna = try await place.member(.editor, email: "anna@example.com")
            let emil = try await place.member(.editor, email: "emil@example.com")
            var mine = try await Self.form(anna)
            var theirs = try await Self.form(emil)
            mine["c.name"] = "Gold members"
            mine["c.audience.items[0].value"] = "platinum"
            theirs["c.name"] = "Golden"
            theirs["c.description"] = "Who pays monthly"
            #expect(try await Self.send(theirs, emil).status == 303)
            let conflict = try await Self.send(mine, anna)
            #expect(conflict.status == 409 && conflict.text.contains("Edit conflict"))
            #expect(conflict.text.contains("<ins>Golden</ins>") && conflict.text.contains("data-dirty=\"true\""))
            let merged = FormReader.fields(of: conflict.text, to: Self.address)
            #expect(merged["c.name"] == "Gold members" && merged["c.description"] == "Who pays monthly")
            #expect(try await Self.send(merged, anna).status == 303)
            let saved = try #require(try await place.store.segment(Self.id))
            #expect(saved.content.name == "Gold members" && saved.content.description == "Who pays monthly")
            #expect(saved.content.audience.json.text.contains("platinum") && saved.version == 3)
        }
    }

    @Test("What was typed stays where the change of a segment needs an approval")
    func approval() async throws {
        try await Workplace.run { place in
            try await Self.add(to: place)
            try await Self.addCampaign("sale", to: place)
            let anna = try await place.member(.admin, email: "anna@example.com")
            let emil = try await place.member(.editor, email: "emil@example.com")
            try await Self.launch("sale", anna)
            let settings = ApprovalPageTests.settings(.editors)
            #expect(try await anna.post("/dashboard/settings", from: "/dashboard/settings", settings).status == 303)
            var form = try await Self.form(emil)
            form["c.description"] = "Typed for ten minutes"
            let refused = try await Self.send(form, emil)
            #expect(refused.text.contains("Ask an administrator."))
            #expect(FormReader.fields(of: refused.text, to: Self.address)["c.description"] == "Typed for ten minutes")
        }
    }

    @Test("A segment names the active campaigns that a change of it reaches")
    func uses() async throws {
        try await Workplace.run { place in
            try await Self.add(to: place)
            for id in ["sale", "draft"] { try await Self.addCampaign(id, to: place) }
            let anna = try await place.member(.admin)
            let before = try await anna.get(Self.address).text
            #expect(!before.contains("Used by active campaigns"))
            try await Self.launch("sale", anna)
            let page = try await anna.get(Self.address).text
            #expect(page.contains("Used by active campaigns") && page.contains(">Sale &lt;sale&gt;</a>"))
            #expect(!page.contains("Sale &lt;draft&gt;"))
        }
    }
}
