import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: names of 250 characters")
struct LongNameTests {
    private static let names = [
        String(repeating: "m", count: 250), String(repeating: "漢", count: 250), String(repeating: "ש", count: 250),
    ]

    private static func insert(_ name: String, _ place: Workplace) async throws {
        var card = CardTemplate(layout: .classic)
        (card.title, card.description) = ("T", "D")
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), name: "A", card: card)
        let content = Campaign.Content(name: name, tags: ["t"], variants: [variant])
        let campaign = Campaign(id: CampaignID(rawValue: "long"), content: content, createdAt: place.time.now)
        try await place.store.insertCampaign(campaign, by: .command)
    }

    @Test(
        "The window's title is cut, the heading isn't, and breadcrumbs have the whole name as their title",
        arguments: names
    )
    func campaign(name: String) async throws {
        try await Workplace.run { place in
            try await Self.insert(name, place)
            let visitor = try await place.member(.editor)
            let report = try await visitor.get("/dashboard/campaigns/long").text
            #expect(report.contains("<title>\(name.prefix(119))… · Placard</title>"))
            #expect(report.contains("<h1>\(name)</h1>"))
            for page in ["launch", "edit", "versions", "test"] {
                let text = try await visitor.get("/dashboard/campaigns/long/\(page)").text
                #expect(text.contains(/(?s)class="crumb">.*title="\S{250}">/), "\(page)")
            }
        }
    }

    @Test("A title as long as there is room stays as it is, and characters of several code points stay whole")
    func shortened() {
        #expect(PageFormatter.shortened("abc", to: 3) == "abc")
        #expect(PageFormatter.shortened("abcd", to: 3) == "ab…")
        #expect(PageFormatter.shortened("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", to: 2) == "👩‍👩‍👧…")
    }

    @Test("Cells of addresses and of who did something break anywhere, as those of differences do")
    func cells() throws {
        for (page, field) in [("users", "email"), ("versions", "who"), ("versions", "#hasAfter")] {
            let text = try #require(Templates.standard.files.template(page))
            #expect(text.contains("typed\">{{\(field)}}"), "\(page): \(field)")
        }
    }

    @Test("Every breadcrumb that is a name has the name as its title")
    func crumbs() {
        var found = 0
        for page in Templates.embedded.keys.sorted() {
            let text = Templates.standard.files.template(page) ?? ""
            for match in text.matches(of: /(?s)<p class="crumb">(.*?)<\/p>/) {
                for link in match.1.matches(of: /<a href="\{\{[^>]*>\{\{([a-zA-Z]+)\}\}/) {
                    #expect(link.0.contains("title=\"{{\(link.1)}}\""), "\(page)")
                    found += 1
                }
            }
        }
        #expect(found > 0)
    }
}
