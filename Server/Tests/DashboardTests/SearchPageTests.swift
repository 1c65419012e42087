import CardModel
import CardServer
import CardStore
import HTTPTypes
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: the command palette")
struct SearchPageTests {
    private static func fill(_ place: Workplace) async throws {
        for (id, name) in [("spring", "Spring sale"), ("summer", "夏のセール"), ("old", "Old sale")] {
            var card = CardTemplate(layout: .classic)
            card.title = "T"
            card.description = "D"
            let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
            var campaign = Campaign(
                id: CampaignID(rawValue: id),
                content: Campaign.Content(name: name, variants: [variant]),
                createdAt: place.time.now
            )
            if id == "old" { campaign.status = .archived }
            try await place.store.insertCampaign(campaign, by: .command)
        }
        let content = Segment.SegmentContent(name: "Spring <guests>", audience: .everyone)
        let segment = Segment(id: SegmentID(rawValue: "guests"), content: content, createdAt: place.time.now)
        try await place.store.insertSegment(segment, by: .command)
        let user = UserUpdate(
            id: UserID(rawValue: "user/1"),
            standard: [.firstName: "Springer", .email: "s@example.com"]
        )
        try await place.store.updateUsers([user], at: place.time.now)
    }

    /// The groups that a search finds, with names and addresses of what is in them.
    private static func found(_ visitor: Visitor, _ text: String) async throws -> [String: [String]] {
        let page = try await visitor.get("/dashboard/search?q=\(FormData.escape(text))")
        #expect(page.status == 200 && page.headers[.contentType] == "application/json; charset=utf-8")
        let json = try JSONValue(parsing: page.text)
        #expect(json["complete"] == true)
        let groups = json["groups"]?.array ?? []
        return Dictionary(
            groups.map { group in
                let items = group["items"]?.array ?? []
                return (
                    group["name"]?.string ?? "",
                    items.map { "\($0["name"]?.string ?? "") \($0["address"]?.string ?? "")" }
                )
            },
            uniquingKeysWith: +
        )
    }

    @Test("Long names are cut, however many scalars one of their characters has")
    func longNames() async throws {
        try await Workplace.run { place in
            let name = "Springer e" + String(repeating: "\u{301}", count: 20_000)
            let users = (0..<6).map { number in
                UserUpdate(id: UserID(rawValue: "long-\(number)"), standard: [.firstName: .string(name)])
            }
            try await place.store.updateUsers(users, at: place.time.now)
            let editor = try await place.member(.editor)
            let page = try await editor.get("/dashboard/search?q=springer")
            #expect(page.text.contains("Springer") && page.text.utf8.count < 20_000)
        }
    }

    @Test("A text finds campaigns, segments, users and pages by their names, whichever case it has")
    func groups() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            let editor = try await place.member(.editor)
            let spring = try await Self.found(editor, " sPRing ")
            #expect(
                spring == [
                    "Campaigns": ["Spring sale /dashboard/campaigns/spring"],
                    "Segments": ["Spring <guests> /dashboard/segments/guests"],
                    "Users": ["Springer /dashboard/users/user%2F1"],
                ]
            )
            for text in ["guests sprïng", "guests"] {
                let segments = try await Self.found(editor, text)["Segments"]
                #expect(segments == ["Spring <guests> /dashboard/segments/guests"], "\(text)")
            }
            #expect(try await Self.found(editor, "夏") == ["Campaigns": ["夏のセール /dashboard/campaigns/summer"]])
            #expect(try await Self.found(editor, "old")["Campaigns"] == ["Old sale /dashboard/campaigns/old"])
            #expect(try await Self.found(editor, "AUDIT") == ["Pages": ["Audit log /dashboard/audit"]])
            #expect(try await Self.found(editor, "nothing like it").isEmpty)
            #expect(try await Self.found(editor, String(repeating: "x", count: 3_000)).isEmpty)
        }
    }

    @Test("A text finds content blocks by name and description, and their page")
    func contentBlocks() async throws {
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            let new = "/dashboard/content-blocks/new"
            let fields = ["c.name": "terms-2027", "c.content": "Until Sunday", "c.description": "Legal <notes>"]
            #expect(try await editor.post(new, from: new, fields).status == 303)
            for text in ["TERMS", "legal <"] {
                let found = try await Self.found(editor, text)
                #expect(found == ["Content blocks": ["terms-2027 /dashboard/content-blocks/terms-2027"]])
            }
            let pages = try await Self.found(editor, "content block")["Pages"]
            #expect(pages == ["Content blocks /dashboard/content-blocks", "New content block \(new)"])
        }
    }

    @Test("Without a text it has the pages that the member may open, and the campaigns that were changed last")
    func start() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            let editor = try await Self.found(try await place.member(.editor), "")
            #expect(editor["Pages"]?.first == "New campaign /dashboard/campaigns/new")
            #expect(editor["Campaigns"]?.count == 2 && editor["Users"] == nil)
            let viewer = try await Self.found(try await place.member(.viewer), "")
            #expect(viewer["Pages"]?.contains { $0.contains("/new") } == false)
        }
    }

    @Test("Pages are found by any words of their titles, in English and in the member's language")
    func pages() async throws {
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            let imports = "/dashboard/users/imports"
            #expect(try await Self.found(editor, "import")["Pages"] == ["Import users \(imports)"])
            #expect(try await Self.found(editor, "users imp")["Pages"] == ["Import users \(imports)"])
            #expect(try await Self.found(editor, "saved")["Pages"] == ["Saved filters /dashboard/filters"])
            let viewer = try await place.member(.viewer)
            #expect(try await Self.found(viewer, "import").isEmpty)
            try await place.store.setLanguage("ja", of: "editor@example.com")
            for text in ["import", "ユーザーを"] {
                #expect(try await Self.found(editor, text)["ページ"] == ["ユーザーをインポート \(imports)"])
            }
            #expect(try await Self.found(editor, "calendar")["ページ"] == ["カレンダー /dashboard/calendar"])
        }
    }

    @Test("Who must not see users finds none, and who finds some is in the audit log")
    func personalData() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            let viewer = try await place.member(.viewer)
            #expect(try await Self.found(viewer, "springer")["Users"]?.count == 1)
            #expect(try await place.audit().contains("user.list"))

            var settings = Settings()
            settings.masksPersonalData = true
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            while try await Self.found(viewer, "springer")["Users"] != nil { await Task.yield() }
            for text in ["springer", "s@example.com", "user/1"] {
                #expect(try await Self.found(viewer, text)["Users"] == nil)
            }
            let stranger = Visitor(client: place.client)
            #expect(try await stranger.get("/dashboard/search?q=spring").status == 303)
        }
    }
}
