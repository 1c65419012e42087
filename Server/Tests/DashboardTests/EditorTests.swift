import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: editor")
struct EditorTests {
    private let fields = [
        "base": "{}", "c.id": "hello", "c.name": "Hello", "c.delivery.kind": "scheduled", "c.audience.kind": "all",
        "c.variants[0].id": "a", "c.variants[0].name": "Card", "c.variants[0].weight": "100",
        "c.variants[0].card.type": "classic", "c.variants[0].card.title": "Hello",
        "c.variants[0].card.description": "You",
    ]

    private func weights(_ draft: CampaignDraft) -> [String] { draft.variants.map { $0.value(.weight) } }

    private func draft(weights: [(id: String, weight: String)]) -> CampaignDraft {
        let variants = weights.map { id, weight -> JSONValue in
            [
                "id": .string(id), "name": .string(id), "weight": .string(weight),
                "control": id == "control" ? "on" : "", "card": ["title": "Hello"],
            ]
        }
        return CampaignDraft(fields: ["variants": .array(variants)], over: [:], timeZone: "UTC")
    }

    @Test("What is wrong with a choice or a check is described by it")
    func described() throws {
        let problem = FieldProblem(path: "delivery.type", code: "value_invalid", message: "Choose.", isWarning: false)
        let maker = FieldMaker([problem])
        let options = [FieldOption(value: "now", name: "Now", isChosen: false)]
        func shown(_ kind: FieldView.Kind) throws -> String {
            let field = maker.make(kind, "Way", at: "c.way", path: "delivery.type", value: "", options: options)
            return try Templates.standard.render("field", field)
        }
        let radio = try shown(.radio)
        #expect(radio.contains("<fieldset id=\"f-c-way\" aria-describedby=\"f-c-way-note-0\">"))
        let check = try shown(.check)
        #expect(check.contains("aria-invalid=\"true\" aria-describedby=\"f-c-way-note-0\""))
        let fine = FieldMaker().make(.check, "Way", at: "c.way", path: "delivery.type", value: "")
        let text = try Templates.standard.render("field", fine)
        #expect(!text.contains("aria-invalid") && !text.contains("aria-describedby"))
    }

    @Test("A control group takes 10 % by default, or what was asked for, and the weights stay per cents")
    func control() {
        var one = draft(weights: [("a", "100")])
        _ = one.reshape(["add", "c.variants", "control"])
        #expect(weights(one) == ["90", "10"])
        var three = draft(weights: [("a", "1"), ("b", "1"), ("c", "1")])
        _ = three.reshape(["add", "c.variants", "control"], controlShare: 20)
        #expect(weights(three) == ["27", "27", "26", "20"])
        for (share, expected) in [(-5, "1"), (0, "1"), (100, "99"), (Int.max, "99")] {
            var draft = draft(weights: [("a", "1")])
            _ = draft.reshape(["add", "c.variants", "control"], controlShare: share)
            #expect(weights(draft).last == expected)
        }
    }

    @Test("A translation is closed under its language and title, and open where it is new or wrong")
    func translations() {
        func shown(_ translation: JSONValue, _ problems: [FieldProblem] = []) -> TranslationView? {
            let variant: JSONValue = ["id": "a", "weight": "1", "card": ["translations": [translation]]]
            let draft = CampaignDraft(fields: ["variants": [variant]], over: [:], timeZone: "UTC")
            return EditorView(draft, .init(problems: problems)).variants.first?.translations.first
        }
        let long = String(repeating: "あ", count: 70)
        let closed = shown(["tag": "ja", "title": .string(long)])
        #expect(closed?.heading == "Japanese" && closed?.isOpen == false)
        #expect(closed?.excerpt == String(repeating: "あ", count: 60) + "…")
        #expect(shown(["tag": ""])?.isOpen == true)
        let path = "variants[0].card.translations.ja.title"
        let problem = FieldProblem(path: path, code: "text_too_long", message: "Too long.", isWarning: false)
        #expect(shown(["tag": "ja", "title": "x"], [problem])?.isOpen == true)
    }

    @Test("Another variant gets as much as the others, and the control keeps its share")
    func variants() {
        var draft = draft(weights: [("a", "90"), ("control", "10")])
        _ = draft.reshape(["add", "c.variants", ""])
        #expect(weights(draft) == ["45", "10", "45"])
        _ = draft.reshape(["remove", "c.variants[1]"])
        #expect(weights(draft) == ["50", "50"])
    }

    @Test("Variants are lettered by their places, and the control isn't mistaken for one of them")
    func letters() {
        let draft = draft(weights: [("summer", "1"), ("control", "1"), ("sale", "1"), ("c", "1")])
        #expect(EditorView(draft, .init()).variants.map(\.letter) == ["A", "0", "B", "C"])
    }

    @Test("Weights that are no per cents stay as they are when a variant goes")
    func weightsOfOwn() {
        var draft = draft(weights: [("a", "3"), ("b", "2"), ("c", "2")])
        _ = draft.reshape(["remove", "c.variants[2]"])
        #expect(weights(draft) == ["3", "2"])
        #expect(EditorView(draft, .init()).variants.map(\.weight.label) == ["Weight", "Weight"])
    }

    @Test("Shares add up to the total, whatever the weights")
    func shares() {
        #expect(TrafficSplit.shares(of: [], total: 100) == [])
        #expect(TrafficSplit.shares(of: [0, 0, 0], total: 100) == [34, 33, 33])
        #expect(TrafficSplit.shares(of: [1, 2], total: 90) == [30, 60])
        let huge = TrafficSplit.shares(of: [9.2e18, 1, .greatestFiniteMagnitude], total: 100)
        #expect(huge.reduce(0, +) == 100)
    }

    @Test("The form offers a share for the control group, and adds it with that share")
    func controlForm() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let page = "/dashboard/campaigns/new"
            let field = "name=\"control_share\" value=\"\" maxlength=\"1000\" placeholder=\"10\""
            #expect(try await visitor.get(page).text.contains(field))
            let order = fields.merging(["do": "add c.variants control", "control_share": "5"]) { $1 }
            let answer = try await visitor.post("/dashboard/campaigns/reshape", from: page, order).text
            #expect(answer.contains("name=\"c.variants[0].weight\" value=\"95\""))
            #expect(answer.contains("name=\"c.variants[1].weight\" value=\"5\""))
            #expect(answer.contains("Traffic split (%)"))
            for wrong in ["x", "1e9", "-1", "0", "100", "150", "5.5", "9223372036854775808"] {
                let order = order.merging(["control_share": wrong]) { $1 }
                let answer = try await visitor.post("/dashboard/campaigns/reshape", from: page, order)
                #expect(answer.status == 200 && !answer.text.contains("c.variants[1]"))
                #expect(answer.text.contains("<span>Enter a whole number from 1 to 99.</span>"))
                #expect(answer.text.contains("<h2>Fix these fields</h2>") && answer.text.contains("value=\"\(wrong)\""))
            }
            let usual = order.merging(["control_share": " "]) { $1 }
            let added = try await visitor.post("/dashboard/campaigns/reshape", from: page, usual).text
            #expect(added.contains("name=\"c.variants[1].weight\" value=\"10\""))
        }
    }

    @Test("Per cents that don't add up to 100 are refused at their field, and weights of another kind are not")
    func wholeSplit() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let new = "/dashboard/campaigns/new"
            #expect(try await visitor.get(new).text.contains("name=\"split\" value=\"percent\""))
            let control = [
                "split": "percent", "c.variants[0].weight": "70", "c.variants[1].id": "control",
                "c.variants[1].name": "Control", "c.variants[1].weight": "10", "c.variants[1].control": "on",
            ]
            let form = fields.merging(control) { $1 }
            let refused = try await visitor.post(new, from: new, form)
            #expect(refused.status == 400)
            #expect(refused.text.contains("The traffic split adds up to 80%. Change it to 100%."))
            // What else is wrong is said at once.
            let unnamed = form.merging(["c.name": "", "c.variants[0].card.title": ""]) { $1 }
            let all = try await visitor.post(new, from: new, unnamed).text
            #expect(all.contains("adds up to 80%") && all.contains("<h2>Couldn’t save: fix these fields</h2>"))
            #expect(all.contains("Name is required.") && all.contains("Title is required."))
            // What was typed is still a share in per cent, and shown as one.
            #expect(refused.text.contains("name=\"split\" value=\"percent\""))
            #expect(refused.text.contains("data-share>70.0%<"))
            let check = try await visitor.post("/dashboard/campaigns/check", from: new, form).text
            #expect(check.contains("adds up to 80%"))
            let whole = form.merging(["c.variants[0].weight": "90"]) { $1 }
            #expect(try await visitor.post(new, from: new, whole).status == 303)
            let weights = form.merging(["c.id": "weights", "split": ""]) { $1 }
            #expect(try await visitor.post(new, from: new, weights).status == 303)
        }
    }

    @Test("A share that was typed for a control group isn't lost: it is refused until the group is added")
    func controlShareTyped() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let new = "/dashboard/campaigns/new"
            let form = fields.merging(["split": "percent", "control_share": "33"]) { $1 }
            let refused = try await visitor.post(new, from: new, form)
            #expect(refused.status == 400 && refused.text.contains("There is no control group yet."))
            #expect(refused.text.contains("name=\"control_share\" value=\"33\""))
            let reshape = "/dashboard/campaigns/reshape"
            let other = form.merging(["do": "add c.conversions"]) { $1 }
            let kept = try await visitor.post(reshape, from: new, other).text
            #expect(kept.contains("name=\"control_share\" value=\"33\""))
            let cleared = form.merging(["control_share": " "]) { $1 }
            #expect(try await visitor.post(new, from: new, cleared).status == 303)
        }
    }

    @Test("Saving stays in the editor and says so once; Cancel leads to the campaign")
    func saving() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let new = "/dashboard/campaigns/new"
            let made = try await visitor.post(new, from: new, fields)
            #expect(made.location == "/dashboard/campaigns/hello/edit?done=created")
            let page = try await visitor.get(try #require(made.location)).text
            #expect(page.split(separator: "Draft created.").count == 2)
            #expect(page.contains("href=\"/dashboard/campaigns/hello\">Cancel</a>"))
            #expect(try await visitor.get(new).text.contains("href=\"/dashboard/campaigns\">Cancel</a>"))
            let copy = try await visitor.post("/dashboard/campaigns/hello/duplicate", from: new)
            let copied = try await visitor.get(try #require(copy.location)).text
            #expect(copied.split(separator: "Campaign duplicated. You’re editing the copy.").count == 2)
        }
    }

    @Test("Times are read in the zone in which the form has shown them, also where the workspace has another by now")
    func zones() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let id = CampaignID(rawValue: "hello")
            let new = "/dashboard/campaigns/new"
            let start = ["c.delivery.start": "2027-01-31T09:00"]
            let timed = fields.merging(start) { $1 }
            let made = try await anna.post(new, from: new, timed)
            let path = "/dashboard/campaigns/hello/edit"
            #expect(made.location == "\(path)?done=created")
            let before = try #require(try await place.store.campaign(id)?.json["delivery"]?["start_at"])
            let page = try await anna.get(path).text
            #expect(page.contains("2027-01-31T09:00"))
            let opened = FormReader.fields(of: page, to: path)
            let hidden = ["base": opened["base"] ?? "", "zone": opened["zone"] ?? "", "c.name": "Other"]

            let settings = "/dashboard/settings"
            #expect(try await anna.post(settings, from: settings, WorkspaceTests.settings).status == 303)
            let form = timed.merging(hidden) { $1 }
            let again = try await anna.post("/dashboard/campaigns/reshape", from: path, form).text
            #expect(again.contains("name=\"zone\" value=\"UTC\"") && again.contains("Times are in UTC."))
            #expect(again.contains("2027-01-31T09:00"))
            #expect(try await anna.post(path, from: path, form).location == "\(path)?done=saved")
            let saved = try #require(try await place.store.campaign(id))
            #expect(saved.content.name == "Other" && saved.json["delivery"]?["start_at"] == before)

            // From now on the page shows times in the other zone, of which a form can't make one that there isn't.
            let moved = try await anna.get(path).text
            #expect(moved.contains("Times are in Asia/Tokyo.") && moved.contains("2027-01-31T18:00"))
            let segment = try await anna.get("/dashboard/segments/new").text
            #expect(segment.contains("name=\"zone\" value=\"Asia/Tokyo\""))
            let odd = hidden.merging(["zone": "Mars/Olympus", "c.audience.kind": "all"]) { $1 }
            let read = try await anna.post("/dashboard/campaigns/reshape", from: path, odd).text
            #expect(read.contains("name=\"zone\" value=\"Asia/Tokyo\""))
        }
    }

    @Test("A translated text is named with its language")
    func translated() {
        func campaign(_ title: String) -> JSONValue {
            let card: JSONValue = [
                "type": "classic", "title": "Hello", "translations": ["ja": ["title": .string(title)]],
            ]
            return ["name": "x", "variants": [["id": "a", "name": "Card", "weight": 1, "card": card]]]
        }
        let found = CampaignDifference.list(campaign("こんにちは"), campaign("今日は"), timeZone: "UTC")
        #expect(found.map(\.spot) == ["Card (Japanese): Title"])
    }
}
