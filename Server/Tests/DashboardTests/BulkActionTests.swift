import CardModel
import CardStore
import Testing

@testable import CardServer
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

    /// Sends the list's form with some campaigns, and returns the page that it leads to.
    private static func send(
        _ action: String,
        _ chosen: [String],
        _ visitor: Visitor,
        tag: String = ""
    ) async throws -> Visitor.Page {
        let token = try await visitor.get(list).token ?? ""
        let fields = [("csrf", token), ("do", action), ("tag", tag)] + chosen.map { ("campaign", $0) }
        let form = FormData(fields.map { (name: $0.0, value: $0.1) })
        let answer = try await visitor.send(.post, "\(bulk)?q=&status=", form.encoded)
        #expect(answer.status == 303)
        let address = try #require(answer.location)
        #expect(address.hasPrefix("\(list)?q=&status=&undo="))
        return try await visitor.get(address)
    }

    /// Sends the notice's form, and returns the page that it leads to.
    private static func undo(_ token: String?, _ visitor: Visitor) async throws -> Visitor.Page {
        let fields = ["undo": token ?? "", "back": list]
        let answer = try await visitor.post("/dashboard/undo", from: list, fields)
        return try await visitor.get(try #require(answer.location, "\(answer.status) \(answer.text.suffix(2_000))"))
    }

    /// What the page offers to undo.
    private static func token(_ page: Visitor.Page) -> String? {
        page.text.firstMatch(of: /name="undo" value="([^"]+)"/).map { String($0.1) }
    }

    /// What a page of a member would offer.
    private static func token(
        _ id: String,
        _ version: Int64,
        of visitor: Visitor,
        _ place: Workplace
    ) async throws -> String {
        let hash = visitor.cookie("placard_session").flatMap(SecretBytes.bytes).map(SecretBytes.hash) ?? []
        let session = try #require(try await place.store.session(hash)).session
        return ChangeNotice(undo: [.campaign(id, version: version)]).text(key: session.formKey, at: place.time.now)
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

            let back = try await Self.undo(Self.token(page), editor)
            #expect(back.text.contains("2 campaigns as before.") && Self.token(back) == nil)
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
                _ = try await Self.undo(Self.token(page), editor)
                #expect(try await campaign(id).status == before.status)
            }
            let tagged = try await Self.send("tag", ["a", "b"], editor, tag: " winter ")
            #expect(tagged.text.contains("2 campaigns tagged “winter”."))
            #expect(try await campaign("b").content.tags == ["winter"])
            let again = try await Self.send("tag", ["b"], editor, tag: "winter")
            #expect(again.text.contains("0 campaigns tagged"))
            _ = try await Self.undo(Self.token(tagged), editor)
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
            func refused(_ visitor: Visitor, _ id: String, _ version: Int64) async throws {
                let before = try await Self.status(place)
                let token = try await Self.token(id, version, of: visitor, place)
                let page = try await Self.undo(token, visitor)
                #expect(page.text.contains("0 campaigns as before."), "\(id) \(version)")
                #expect(try await Self.status(place) == before)
            }
            let paused = Self.token(try await Self.send("pause", ["a"], editor))
            try await refused(other, "a", 3)
            for (id, version) in [("a", 2), ("a", 4), ("a", -1), ("b", 2), ("none", 1), ("a:3", 3), ("a", Int64.max)] {
                try await refused(editor, id, version)
            }
            // What a page offers to one member is nothing to another, nor what nobody signed.
            let forged = "AAAA" + (paused ?? "").dropFirst(4)
            let offers: [(Visitor, String?)] = [(other, paused), (editor, "AAAA"), (editor, nil), (editor, forged)]
            for (visitor, token) in offers {
                let page = try await Self.undo(token, visitor)
                #expect(page.text.contains("This change can’t be undone any more."))
                #expect(try await Self.status(place).first == .paused)
            }
            _ = try await Self.undo(paused, editor)
            #expect(try await Self.status(place).first == .active)
            // An undo is not undone in turn.
            try await refused(editor, "a", 4)
            let late = Self.token(try await Self.send("pause", ["b"], editor))
            place.time.advance(by: 61)
            try await refused(editor, "b", 3)
            #expect(try await Self.undo(late, editor).text.contains("This change can’t be undone any more."))
        }
    }

    @Test("Where the server fails in between, what was changed is said, and the rest stay as they are")
    func failure() async throws {
        let content = Campaign.Content(name: "Autumn", variants: [])
        func refused(_ error: RequestError) async throws -> Campaign? {
            try await ServiceError.catching { throw error }
        }
        let changes = try await BulkActions.each(["a", "b", "c", "d"]) { id in
            switch id {
            case "a": return try await refused(.notFound("campaign"))
            case "c": return try await refused(.unavailable)
            default: return Campaign(id: CampaignID(rawValue: id), content: content, createdAt: 0)
            }
        }
        #expect(changes.changed.map(\.id.rawValue) == ["b"])
        #expect(changes.problems.map(\.id) == ["a", "c"])
        #expect(changes.problems.last?.message == RequestError.unavailable.message)
        await #expect(throws: ServiceError.self) {
            _ = try await BulkActions.each(["a"]) { _ in try await refused(.unavailable) }
        }
    }

    @Test("One campaign that is paused, resumed, stopped or archived can be made what it was, on its own page")
    func single() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            let editor = try await place.member(.editor)
            let address = "\(Self.list)/a"
            func status() async throws -> Campaign.Status? { try await Self.status(place).first ?? nil }
            for (action, after, before) in [
                ("pause", Campaign.Status.paused, Campaign.Status.active), ("stop", .stopped, .active),
            ] {
                let answer = try await editor.post("\(address)/\(action)", from: address)
                let page = try await editor.get(try #require(answer.location))
                #expect(try await status() == after && page.text.contains("Users who have the card keep it."))
                let fields = ["undo": Self.token(page) ?? "", "back": address]
                let back = try await editor.post("/dashboard/undo", from: address, fields)
                #expect(back.location?.hasPrefix("\(address)?undo=") == true)
                #expect(try await status() == before)
            }
            _ = try await editor.post("\(address)/pause", from: address)
            let version = try #require(try await place.store.campaign(CampaignID(rawValue: "a"))).version
            let fields = ["version": String(version)]
            let resumed = try await editor.post("\(address)/launch", from: "\(address)/launch", fields)
            _ = try await Self.undo(Self.token(try await editor.get(try #require(resumed.location))), editor)
            #expect(try await status() == .paused)
            // Devices have lost cards that were removed, and users may have seen those of a first launch.
            let first = try await editor.post("\(Self.list)/c/launch", from: address, ["version": "1"])
            let withdrawn = try await editor.post("\(address)/stop", from: address, ["withdraw": "yes"])
            #expect(first.location?.hasSuffix("?done=launched") == true)
            #expect(withdrawn.location?.hasSuffix("?done=withdrawn") == true)
        }
    }

    @Test("What no address has room for is shown at once, with what undoes all of it")
    func many() async throws {
        try await Workplace.run { place in
            try await Self.fill(place)
            let editor = try await place.member(.editor)
            let token = try await editor.get(Self.list).token ?? ""
            var form = FormData([(name: "csrf", value: token), (name: "do", value: "archive")])
            for number in 0..<90 {
                let id = String(repeating: "x", count: 60) + String(number)
                let content = try #require(try await place.store.campaign(CampaignID(rawValue: "c"))).content
                let campaign = Campaign(id: CampaignID(rawValue: id), content: content, createdAt: place.time.now)
                try await place.store.insertCampaign(campaign, by: .command)
                form.append("campaign", id)
            }
            let page = try await editor.send(.post, Self.bulk, form.encoded)
            #expect(page.status == 200 && page.text.contains("90 campaigns archived."))
            #expect(page.text.contains("name=\"back\" value=\"\(Self.list)\""))
            #expect(try await Self.undo(Self.token(page), editor).text.contains("90 campaigns as before."))
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
            _ = try await Self.undo(Self.token(page), editor)
            #expect(try await Self.status(place).first == .active)
            let tagged = try await Self.send("tag", ["a", "c"], editor, tag: "x")
            #expect(tagged.text.contains("1 campaign tagged") && tagged.text.contains("has to approve this"))
        }
    }
}
