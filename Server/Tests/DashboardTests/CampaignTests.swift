import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: campaigns")
struct CampaignTests {
    /// What the editor sends of a card with a control.
    private let fields = [
        "base": "{}", "c.name": "Coupon <b>", "c.tags": "checkout, sale", "c.delivery.kind": "scheduled",
        "c.audience.kind": "all", "c.audience.items[0].kind": "attribute",
        "c.audience.items[0].name": "country", "c.audience.items[0].comparison": "equals",
        "c.audience.items[0].value": "JP", "c.variants[0].id": "a", "c.variants[0].name": "Card",
        "c.variants[0].weight": "3", "c.variants[0].card.type": "classic", "c.variants[0].card.title": "20 % off",
        "c.variants[0].card.description": "Today", "c.variants[0].card.extras[2].key": "code",
        "c.variants[0].card.extras[2].value": "7", "c.variants[1].id": "control", "c.variants[1].name": "Control",
        "c.variants[1].weight": "1", "c.variants[1].control": "on",
    ]

    private func make(_ visitor: Visitor) async throws -> String {
        let made = try await visitor.post("/dashboard/campaigns/new", from: "/dashboard/campaigns/new", fields)
        guard let place = made.location, made.status == 303 else { throw UnexpectedPage(answer: made) }
        return String(place.prefix { $0 != "?" }).replacing("/edit", with: "")
    }

    @Test("A campaign is made, launched, paused and withdrawn, and the audit log has the member's name")
    func life() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let address = try await make(visitor)
            let id = CampaignID(rawValue: String(address.split(separator: "/").last ?? ""))
            let draft = try #require(try await place.store.campaign(id))
            #expect(draft.content.tags == ["checkout", "sale"])
            #expect(draft.content.audience == .all([.attribute(AttributeClause(.standard(.country), .equals, "JP"))]))
            #expect(draft.content.variants.map(\.weight) == [3, 1])
            #expect(draft.content.variants[0].card?.extras == ["code": "7"])
            #expect(draft.content.variants[1].isControl)

            let review = try await visitor.get("\(address)/launch").text
            #expect(review.contains("A control cannot be clicked") && !review.contains("control group measures"))
            _ = try await visitor.post("\(address)/launch", from: "\(address)/launch", ["version": "1"])
            #expect(try await place.store.campaign(id)?.status == .active)
            _ = try await visitor.post("\(address)/pause", from: address)
            #expect(try await place.store.campaign(id)?.status == .paused)
            #expect(try await visitor.get("\(address)/stop").text.contains(#"name="withdraw" value="yes""#))
            _ = try await visitor.post("\(address)/stop", from: "\(address)/stop", ["withdraw": "yes"])
            #expect(try await place.store.campaign(id)?.isWithdrawn == true)
            let audit = try await place.store.latestAuditEntries(before: nil, limit: 4)
            #expect(audit.map(\.action) == ["campaign.stop", "campaign.pause", "campaign.launch", "campaign.create"])
            #expect(Set(audit.map(\.actor)) == ["editor@example.com"])
            #expect(try await visitor.get(address).text.contains("Coupon &lt;b&gt;"))
        }
    }

    @Test("The editor of a draft saves it and goes on to its test or review; an active campaign has no such button")
    func goesOn() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let new = "/dashboard/campaigns/new"
            for (step, page) in [("test", "/test"), ("launch", "/launch"), ("", "/edit?done=created")] {
                let saved = try await visitor.post(new, from: new, fields.merging(["then": step]) { $1 })
                #expect(saved.location?.hasSuffix(page) == true, "\(step) leads to \(saved.location ?? "nothing")")
            }
            let address = try await make(visitor)
            let button = #"name="then" value="test""#
            #expect(try await visitor.get(new).text.contains(button))
            #expect(try await visitor.get("\(address)/edit").text.contains(button))
            _ = try await visitor.post("\(address)/launch", from: "\(address)/launch", ["version": "1"])
            let active = try await visitor.get("\(address)/edit").text
            #expect(!active.contains(button) && active.contains("value=\"launch\">Save &amp; review</button>"))
        }
    }

    @Test(
        "Campaigns and segments that are named as pages open like all others",
        arguments: Dashboard.pageNames.sorted()
    )
    func pageNames(name: String) async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            var card = CardTemplate(layout: .classic)
            card.title = "Title"
            card.description = "Text"
            let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
            let content = Campaign.Content(name: "Named as a page", variants: [variant])
            let campaign = Campaign(id: CampaignID(rawValue: name), content: content, createdAt: place.time.now)
            try await place.store.insertCampaign(campaign, by: .command)
            let segment = Segment(
                id: SegmentID(rawValue: name),
                content: Segment.SegmentContent(name: "Named as a page", audience: .everyone),
                createdAt: place.time.now
            )
            try await place.store.insertSegment(segment, by: .command)
            for list in ["campaigns", "segments"] {
                let address = "/dashboard/\(list)/\(FormData.escape(part: name))"
                let links = try await visitor.get("/dashboard/\(list)").text.matches(of: /href="[^"]*"/).map {
                    String($0.0)
                }
                #expect(links.contains { $0.hasPrefix("href=\"\(address)") }, "\(links)")
                let page = try await visitor.get(address)
                #expect(page.text.contains(">Named as a page</h1>"), "\(page.status) \(page.location ?? page.text)")
            }
        }
    }

    @Test("What the rules refuse is said at its place, and everything typed is still there")
    func problems() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let wrong = fields.merging(["c.variants[0].card.title": "", "c.tags": "kept"]) { $1 }
            let answer = try await visitor.post("/dashboard/campaigns/new", from: "/dashboard/campaigns/new", wrong)
            #expect(answer.status == 400)
            #expect(
                answer.text.contains("href=\"#f-c-variants-0--card-title\">Card, Title</a> This field is required.")
            )
            #expect(answer.text.contains("<span>Title is required.</span>"))
            #expect(answer.text.contains("value=\"kept\""))
            #expect(answer.text.contains("value=\"JP\""))
        }
    }

    @Test("The second of two editors sees what the first changed, loses nothing, and may save on top")
    func conflict() async throws {
        try await Workplace.run { place in
            let (anna, kenji) = (try await place.member(.editor), try await place.member(.admin))
            let address = try await make(anna)
            func base(_ visitor: Visitor) async throws -> String {
                try Self.base(try await visitor.get("\(address)/edit").text)
            }
            let (first, second) = (try await base(anna), try await base(kenji))
            let theirs = fields.merging(["base": first, "c.name": "Anna's name"]) { $1 }
            #expect(try await anna.post("\(address)/edit", from: "\(address)/edit", theirs).status == 303)
            let mine = fields.merging(["base": second, "c.tags": "kenji"]) { $1 }
            let answer = try await kenji.post("\(address)/edit", from: "\(address)/edit", mine)
            #expect(answer.status == 409)
            #expect(answer.text.contains("<ins>Anna&#39;s name</ins>"))
            #expect(answer.text.contains("value=\"kenji\""))
            // What only Anna changed is in the form too, so that saving does not take it back.
            #expect(answer.text.contains("name=\"c.name\" value=\"Anna&#39;s name\""))
            let merged = mine.merging(["base": try Self.base(answer.text), "c.name": "Anna's name"]) { $1 }
            #expect(try await kenji.post("\(address)/edit", from: "\(address)/edit", merged).status == 303)
        }
    }

    @Test("Versions say who changed what, and one that comes back is an edit like any other")
    func versions() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let address = try await make(visitor)
            let base = try Self.base(try await visitor.get("\(address)/edit").text)
            let change = ["base": base, "c.variants[0].card.title": "30 % off", "c.audience.items[0].value": "KR"]
            let changed = fields.merging(change) { $1 }
            #expect(try await visitor.post("\(address)/edit", from: "\(address)/edit", changed).status == 303)
            let page = try await visitor.get("\(address)/versions").text
            #expect(
                page.contains(
                    "<th scope=\"row\">Card: Title</th><td class=\"typed\"><del>20 % off</del></td>"
                        + "<td class=\"typed\"><ins>30 % off</ins>"
                )
            )
            #expect(page.contains("<del>country is JP</del></td><td class=\"typed\"><ins>country is KR</ins>"))
            #expect(page.contains("editor@example.com"))
            #expect(try await visitor.get("\(address)/versions?from=2&to=1").text.contains("<del>30 % off</del>"))
            #expect(try await visitor.get("\(address)/versions?from=1&to=1").text.contains("No differences."))
            #expect(try await visitor.get("\(address)/versions?from=9&to=1").status == 404)

            let old = try await visitor.get("\(address)/edit?version=1").text
            #expect(old.contains("20 % off"))
            #expect(try Self.base(old).contains("30 % off"))
            let restored = fields.merging(["base": try Self.base(old)]) { $1 }
            #expect(try await visitor.post("\(address)/edit", from: "\(address)/edit", restored).status == 303)
            #expect(try await visitor.get("\(address)/versions").text.contains("Edited: same content as version 1"))
            let viewer = try await place.member(.viewer)
            let seen = try await viewer.get("\(address)/versions")
            #expect(seen.status == 200)
            #expect(!seen.text.contains("Restore"))
        }
    }

    @Test("What is wrong is told while one types, at its field, and nothing is kept")
    func checking() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let order = fields.merging(
                [
                    "c.variants[0].card.title": "Hi\n{{ x | upcse }}", "c.name": "",
                    "c.audience.items[0].comparison": "matches_regex", "c.audience.items[0].value": "(",
                ]
            ) { $1 }
            let answer = try await visitor.post("/dashboard/campaigns/check", from: "/dashboard/campaigns/new", order)
            let json = try JSONValue(parsing: answer.text)
            let found = json["fields"]?.array ?? []
            #expect(
                found.compactMap { $0["id"]?.string }.sorted() == [
                    "f-c-audience-items-0--value", "f-c-variants-0--card-title",
                ]
            )
            let note = found.first { $0["id"] == "f-c-variants-0--card-title" }?["notes"]?.array?.first
            #expect(note?["line"] == 2)
            #expect(json["reach"]?.string?.hasPrefix("Couldn’t estimate") == true)
            let names = try JSONValue(parsing: try await visitor.get("/dashboard/campaigns/names").text)
            #expect(names["filters"]?.array?.contains("upcase") == true)
            #expect(try await place.store.campaignCountsByStatus().isEmpty)
        }
    }

    @Test("A check before the launch leads to the field that it is about")
    func launchLinks() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let address = try await make(visitor)
            let page = try await visitor.get("\(address)/launch").text
            #expect(page.contains("href=\"\(address)/edit#conversions\""))
        }
    }

    @Test("An archived campaign can't be edited, and is restored as it was")
    func archiving() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let address = try await make(visitor)
            _ = try await visitor.post("\(address)/archive", from: address)
            let page = try await visitor.get(address).text
            #expect(page.contains("action=\"\(address)/restore\"") && !page.contains("href=\"\(address)/edit\""))
            let restored = try await visitor.post("\(address)/restore", from: address)
            #expect(restored.location?.hasPrefix("\(address)?done=restored") == true)
            #expect(try await place.store.campaignCountsByStatus() == [.draft: 1])
            #expect(try await visitor.get("\(address)/versions").text.contains("Restored"))
        }
    }

    /// The campaign that a page of the editor began with.
    private static func base(_ page: String) throws -> String {
        let text = try #require(page.firstMatch(of: /name="base" value="([^"]*)"/)).1
        return String(text).replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    @Test("A viewer reads reports and changes nothing")
    func viewer() async throws {
        try await Workplace.run { place in
            let address = try await make(try await place.member(.editor))
            let viewer = try await place.member(.viewer)
            #expect(try await viewer.get(address).status == 200)
            #expect(try await viewer.get("\(address)/edit").status == 403)
            for path in ["launch", "pause", "stop", "archive", "duplicate", "edit"] {
                #expect(try await viewer.post("\(address)/\(path)", from: address).status == 403)
            }
            #expect(try await place.store.campaignCountsByStatus() == [.draft: 1])
        }
    }

    @Test("Rows are added and removed without losing what was typed, and nothing is kept")
    func reshaping() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let page = "/dashboard/campaigns/new"
            let order = fields.merging(["do": "add c.audience.items any"]) { $1 }
            let answer = try await visitor.post("/dashboard/campaigns/reshape", from: page, order)
            #expect(answer.status == 200)
            #expect(answer.text.contains("name=\"c.audience.items[1].kind\" value=\"any\""))
            #expect(answer.text.contains(">\n20 % off</textarea>"))
            #expect(try await place.store.campaignCountsByStatus().isEmpty)
        }
    }

    @Test("A preview is the app's own cell, in a frame that runs nothing")
    func preview() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let evil = fields.merging(["c.variants[0].card.title": "<script>alert(1)</script>"]) { $1 }
            let answer = try await visitor.post("/dashboard/campaigns/preview", from: "/dashboard/campaigns/new", evil)
            #expect(answer.status == 200)
            #expect(answer.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
            #expect(!answer.text.contains(" style="))
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(policy.contains("sandbox"))
            #expect(!policy.contains("script-src"))
        }
    }

    @Test("While a required field is empty, a placeholder stands in it and the other texts are rendered for the user")
    func unfinished() async throws {
        try await Workplace.run { place in
            let update = try UserUpdate(id: UserID(rawValue: "anna"), json: ["attributes": ["first_name": "Anna"]])
            try await place.store.updateUsers([update], at: place.time.now)
            let visitor = try await place.member(.editor)
            var draft = fields.merging(
                [
                    "c.variants[0].card.type": "captioned_image", "c.variants[0].card.title": "",
                    "c.variants[0].card.image": "", "c.variants[0].card.description": "Hi {{${first_name}}}",
                    "preview_user": "anna",
                ]
            ) { $1 }
            let page = try await visitor.post("/dashboard/campaigns/preview", from: "/dashboard/campaigns/new", draft)
            #expect(page.text.contains("Hi Anna") && page.text.contains(">Title<"))
            #expect(!page.text.contains("first_name") && !page.text.contains("placeholder.invalid"))
            draft["preview_user"] = "nobody"
            let other = try await visitor.post("/dashboard/campaigns/preview", from: "/dashboard/campaigns/new", draft)
            #expect(other.text.contains("<p>No card is shown</p>"))
        }
    }

    @Test("A picture without an aspect ratio has the one that the browser measured")
    func measured() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let address = "https://images.example.com/wide.jpg"
            func preview(_ more: [String: String]) async throws -> String {
                let picture = ["c.variants[0].card.type": "banner", "c.variants[0].card.image": address]
                let draft = fields.merging(picture) { $1 }.merging(more) { $1 }
                return try await visitor.post("/dashboard/campaigns/preview", from: "/dashboard/campaigns/new", draft)
                    .text
            }
            let plain = try await preview([:])
            let wide = try await preview(["preview_image": address, "preview_ratio": "4"])
            #expect(plain.contains(address) && wide.contains(address) && plain != wide)
            for ratio in ["0", "-1", "nan", "1e400", "x"] {
                #expect(try await preview(["preview_image": address, "preview_ratio": ratio]) == plain, "\(ratio)")
            }
            #expect(try await preview(["preview_image": "https://other.example", "preview_ratio": "4"]) == plain)
        }
    }
}
