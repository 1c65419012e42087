import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: actions on several campaigns")
struct BulkActionTests {
    private static let list = "/dashboard/campaigns"
    private static let bulk = "/dashboard/campaigns/bulk"

    /// Two active campaigns, a draft, and one whose name is hostile.
    private static func fill(_ place: Workplace) async throws {
        for (id, name) in [("a", "Autumn"), ("b", "Blue"), ("c", "<b>Cold</b>")] {
            var card = CardTemplate(layout: .classic)
            card.title = "T"
            card.description = "D"
            let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
            let campaign = Campaign(
                id: CampaignID(rawValue: id),
                content: Campaign.Content(name: name, variants: [variant]),
                createdAt: place.time.now
            )
            try await place.store.insertCampaign(campaign, by: .command)
            guard id != "c" else { continue }
            _ = try await place.store.updateCampaign(
                campaign.applying(.launch, at: place.time.now),
                from: 1,
                action: "campaign.launch",
                by: .command
            )
        }
    }

    private static func status(_ place: Workplace) async throws -> [Campaign.Status?] {
        var found: [Campaign.Status?] = []
        for id in ["a", "b", "c"] { found.append(try await place.store.campaign(CampaignID(rawValue: id))?.status) }
        return found
    }

    /// Sends the list's form with some campaigns.
    private static func send(
        _ action: String,
        _ chosen: [String],
        _ visitor: Visitor,
        named name: String = "campaign",
        tag: String = ""
    ) async throws -> Visitor.Page {
        let token = try await visitor.get(list).token ?? ""
        let fields = [("csrf", token), ("do", action), ("tag", tag)] + chosen.map { (name, $0) }
        var form = FormData()
        form.fields = fields.map { (name: $0.0, value: $0.1) }
        return try await visitor.send(.post, "\(bulk)?q=&status=", form.encoded)
    }

    /// What the page offers to undo.
    private static func undo(_ page: Visitor.Page) -> [String] {
        page.text.matches(of: /name="undo" value="([^"]+)"/).map { String($0.1) }
    }

    @Test("Chosen campaigns are paused, those that can't be are named, and the pause is undone")
    func pause() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            let editor = try await place.member(.editor)
            let page = try await Self.send("pause", ["a", "b", "c", "none"], editor)
            #expect(page.status == 200 && page.text.contains("2 campaigns paused."))
            #expect(try await editor.get("\(Self.bulk)?q=blue").location == "\(Self.list)?q=blue")
            #expect(page.text.contains("&lt;b&gt;Cold&lt;/b&gt;: A campaign that is a draft can&#39;t be paused."))
            #expect(try await Self.status(place) == [.paused, .paused, .draft])
            #expect(Self.undo(page) == ["a:3", "b:3"])

            let back = try await Self.send("undo", Self.undo(page), editor, named: "undo")
            #expect(back.text.contains("2 campaigns as before.") && Self.undo(back).isEmpty)
            #expect(try await Self.status(place) == [.active, .active, .draft])
            let versions = try await place.store.campaignVersions(
                of: CampaignID(rawValue: "a"),
                before: nil,
                limit: 1
            )
            #expect(versions.map(\.action) == ["campaign.undo"])
        }
    }

    @Test("Stopping, archiving and tagging are undone to exactly what was there before")
    func others() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            let editor = try await place.member(.editor)
            func campaign(_ id: String) async throws -> Campaign {
                try #require(try await place.store.campaign(CampaignID(rawValue: id)))
            }
            for (action, id, status) in [("stop", "a", Campaign.Status.stopped), ("archive", "c", .archived)] {
                let before = try await campaign(id)
                let page = try await Self.send(action, [id], editor)
                #expect(try await campaign(id).status == status)
                _ = try await Self.send("undo", Self.undo(page), editor, named: "undo")
                #expect(try await campaign(id).status == before.status)
            }
            let tagged = try await Self.send("tag", ["a", "b"], editor, tag: " winter ")
            #expect(tagged.text.contains("2 campaigns tagged “winter”."))
            #expect(try await campaign("b").content.tags == ["winter"])
            let again = try await Self.send("tag", ["b"], editor, tag: "winter")
            #expect(again.text.contains("0 campaigns tagged"))
            _ = try await Self.send("undo", Self.undo(tagged), editor, named: "undo")
            #expect(try await campaign("b").content.tags.isEmpty)
            #expect(try await campaign("b").status == .active)
        }
    }

    @Test("Only the one who made the last change undoes it, within a minute, and once")
    func bounds() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            let editor = try await place.member(.editor)
            let other = try await place.member(.admin)
            func refused(_ visitor: Visitor, _ change: String) async throws {
                let before = try await Self.status(place)
                let page = try await Self.send("undo", [change], visitor, named: "undo")
                #expect(page.text.contains("0 campaigns as before."), "\(change)")
                #expect(try await Self.status(place) == before)
            }
            _ = try await Self.send("pause", ["a"], editor)
            try await refused(other, "a:3")
            for change in ["a:2", "a:4", "a:99999999999999999999", "a:-1", "a", ":", "b:2", "none:1", "a:3:3", "a:0"] {
                try await refused(editor, change)
            }
            _ = try await Self.send("undo", ["a:3"], editor, named: "undo")
            #expect(try await Self.status(place).first == .active)
            // An undo is not undone in turn.
            try await refused(editor, "a:4")
            _ = try await Self.send("pause", ["b"], editor)
            place.time.advance(by: 61)
            try await refused(editor, "b:3")
        }
    }

    @Test("An action without campaigns, without a tag or of another kind changes nothing, and a viewer sees none")
    func nothing() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            let editor = try await place.member(.editor)
            #expect(try await Self.send("pause", [], editor).text.contains("Select at least one campaign."))
            for action in ["tag", "launch", "delete", ""] {
                #expect(try await Self.send(action, ["a"], editor).text.contains("Enter a tag."))
            }
            let long = try await Self.send("tag", ["a"], editor, tag: String(repeating: "x", count: 300))
            #expect(long.text.contains("0 campaigns tagged"))
            #expect(try await Self.status(place) == [.active, .active, .draft])
            let viewer = try await place.member(.viewer)
            let page = try await viewer.get(Self.list).text
            #expect(!page.contains("name=\"campaign\"") && !page.contains("bulk-bar"))
            #expect(try await viewer.post(Self.bulk, from: Self.list, ["do": "pause", "campaign": "a"]).status == 403)
            #expect(try await Self.status(place).first == .active)
        }
    }

    @Test("A pause is undone although launches need approval, since nothing else was ever approved")
    func approval() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            var settings = Settings()
            settings.launchApproval = .everyone
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            let editor = try await place.member(.editor)
            while try await !editor.get("\(Self.list)/c/launch").text.contains("Request approval") {
                await Task.yield()
            }
            let page = try await Self.send("pause", ["a"], editor)
            _ = try await Self.send("undo", Self.undo(page), editor, named: "undo")
            #expect(try await Self.status(place).first == .active)
            let tagged = try await Self.send("tag", ["a", "c"], editor, tag: "x")
            #expect(tagged.text.contains("1 campaign tagged") && tagged.text.contains("has to approve this"))
        }
    }
}
