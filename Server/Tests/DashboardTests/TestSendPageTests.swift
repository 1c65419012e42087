import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: test sends")
struct TestSendPageTests {
    private static func insert(_ place: Workplace) async throws {
        var card = CardTemplate(layout: .classic)
        card.title = "Hello"
        card.description = "World"
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), name: "Variant A", card: card)
        let content = Campaign.Content(name: "Sale", variants: [variant])
        let campaign = Campaign(id: CampaignID(rawValue: "sale"), content: content, createdAt: place.time.now)
        try await place.store.insertCampaign(campaign, by: .command)
        try await place.store.updateUsers([UserUpdate(id: UserID(rawValue: "anna"))], at: place.time.now)
    }

    @Test("An editor sends a test of a draft, is told who got it and who did not, and can save the users")
    func sends() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            let editor = try await place.member(.editor)
            #expect(try await editor.get("/dashboard/campaigns/sale").text.contains("/dashboard/campaigns/sale/test"))
            let path = "/dashboard/campaigns/sale/test"
            let fields = ["users": " anna \r\nnobody\r\n", "variant": "a", "language": "", "save": "yes"]
            let page = try await editor.post(path, from: path, fields)
            #expect(page.status == 200 && page.text.contains("Test sent to 1 user."))
            #expect(page.text.contains("nobody: There is no such user."))
            let state = try #require(try await place.store.userState(of: UserID(rawValue: "anna"), including: []))
            #expect(state.testCards.count == 1)
            let users = try await place.store.testUsers().map(\.rawValue)
            #expect(users == ["anna", "nobody"])
            #expect(try await editor.get(path).text.contains("anna\nnobody"))
            #expect(try await place.audit().contains("campaign.test-send"))

            let empty = try await editor.post(path, from: path, ["users": " \n"])
            #expect(empty.status == 400 && empty.text.contains("Enter at least one user ID."))
        }
    }

    @Test("A viewer sends no test")
    func viewers() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            let viewer = try await place.member(.viewer)
            #expect(try await viewer.get("/dashboard/campaigns/sale/test").status == 403)
            #expect(try await !viewer.get("/dashboard/campaigns/sale").text.contains("sale/test"))
        }
    }
}
