import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: appearance")
struct AppearanceTests {
    private func insertCampaign(_ place: Workplace) async throws {
        var card = CardTemplate(layout: .classic)
        (card.title, card.description) = ("Title", "Text")
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), name: "Card", card: card)
        let content = Campaign.Content(name: "Sale", variants: [variant])
        let campaign = Campaign(id: CampaignID(rawValue: "sale"), content: content, createdAt: place.time.now)
        try await place.store.insertCampaign(campaign, by: .command)
    }

    @Test("The buttons say which appearance is chosen")
    func chosen() async throws {
        try await Workplace.run { place in
            let viewer = try await place.member(.viewer)
            func pressed() async throws -> [String] {
                try await viewer.get("/dashboard").text
                    .matches(of: /value="(light|dark|auto)"[^>]*aria-pressed="true"/).map { String($0.1) }
            }
            #expect(try await pressed() == ["auto"])
            _ = try await viewer.post("/dashboard/theme", from: "/dashboard", ["theme": "dark", "back": "/dashboard"])
            #expect(try await pressed() == ["dark"])
        }
    }

    @Test("Previews of cards are dark where the member chose dark, and otherwise as the user of a page chooses")
    func previews() async throws {
        try await Workplace.run { place in
            try await insertCampaign(place)
            try await place.store.updateUsers([UserUpdate(id: UserID(rawValue: "u"))], at: place.time.now)
            let editor = try await place.member(.editor)
            let pages = ["campaigns/sale", "campaigns/sale/launch", "campaigns/sale/edit", "users/u"]
            for page in pages {
                let text = try await editor.get("/dashboard/\(page)").text
                #expect(!text.contains("preview_look=dark") && !text.contains("value=\"dark\" selected"), "\(page)")
                #expect(text.contains("data-by-theme"), "\(page)")
            }
            editor.setCookie(Theme.cookie, "dark")
            for page in pages {
                let text = try await editor.get("/dashboard/\(page)").text
                #expect(text.contains("preview_look=dark") || text.contains("value=\"dark\" selected"), "\(page)")
            }
            let light = try await editor.get("/dashboard/users/u?preview_look=light").text
            #expect(light.contains("preview_look=light") && !light.contains("data-by-theme"))
        }
    }

    @Test("A page that isn't there, or isn't for the member, is no part of the navigation")
    func errors() async throws {
        try await Workplace.run { place in
            let viewer = try await place.member(.viewer)
            for (path, status) in [("nothing", 404), ("campaigns/new", 403), ("campaigns/nothing", 404)] {
                let page = try await viewer.get("/dashboard/\(path)")
                #expect(page.status == status)
                #expect(!page.text.contains("aria-current"), "\(path)")
            }
        }
    }
}
