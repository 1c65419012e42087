import CardModel
import Foundation
import Testing
import WireJSON

@testable import Dashboard

/// A campaign that uses everything that the management API can say.
enum EverythingCampaign {
    /// The browser check edits the same one.
    static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../scripts/lib/everything_campaign.json")

    static func campaign() throws -> JSONValue {
        let json = try JSONValue(parsing: String(contentsOf: file, encoding: .utf8))
        // As the API gives it back.
        let content = try Campaign.Content(
            json: json,
            allowing: ["id", "version", "status", "withdrawn", "created_at", "updated_at", "launched_at"]
        )
        var members = json.object ?? [:]
        for (name, value) in content.json { members[name] = value }
        return .object(members)
    }
}

extension JSONValue {
    /// Each value with its place, so that the order of members does not matter.
    fileprivate var lines: [String] { lines(at: "").sorted() }

    private func lines(at place: String) -> [String] {
        switch self {
        case .object(let members) where !members.isEmpty:
            members.flatMap { $0.value.lines(at: "\(place).\($0.key)") }
        case .array(let items) where !items.isEmpty:
            items.enumerated().flatMap { $1.lines(at: "\(place)[\($0)]") }
        default: ["\(place) = \(text)"]
        }
    }
}

@Suite("Dashboard: drafts of campaigns")
struct DraftTests {
    /// What a browser sends of a page with those fields: every field of the form, in another order, as text.
    private func sent(_ draft: CampaignDraft) -> FormData {
        var form = FormData([("base", draft.base.text)])
        func add(_ value: JSONValue, at place: String) {
            switch value {
            case .object(let members):
                for (name, value) in members.reversed() { add(value, at: "\(place).\(name)") }
            case .array(let items):
                for (index, item) in items.enumerated() { add(item, at: "\(place)[\(index)]") }
            default: form.append(place, value.string ?? "")
            }
        }
        add(draft.fields, at: "c")
        return form
    }

    @Test("A campaign that uses everything comes back from the form as it was")
    func roundTrip() throws {
        let campaign = try EverythingCampaign.campaign()
        let opened = CampaignDraft(campaign: campaign, timeZone: "Asia/Tokyo")
        let saved = CampaignDraft(form: sent(opened), timeZone: "Asia/Tokyo").campaign
        #expect(saved.lines == campaign.lines)
    }

    @Test("An extra without a name isn't lost, and a row in which nothing was written is no extra")
    func namelessExtras() throws {
        var opened = CampaignDraft(campaign: try EverythingCampaign.campaign(), timeZone: "UTC")
        let rows: JSONValue = [["key": "", "value": "typed"], ["key": " a ", "value": ""], ["key": "", "value": ""]]
        opened.fields = FormPlace("variants[0].card.extras").changing(opened.fields) { _ in rows }
        let saved = try CampaignDraft(form: sent(opened), timeZone: "UTC").content()
        #expect(saved.variants[0].card?.extras.map(\.key).sorted() == ["", "a"])
        #expect(saved.variants[0].card?.extras[""] == "typed")
    }

    @Test("A key with spaces around it, which the API wrote, stays as it is until another is typed")
    func spacedKeys() throws {
        var opened = CampaignDraft(campaign: try EverythingCampaign.campaign(), timeZone: "UTC")
        let place = FormPlace("variants[0].card.extras")
        var body = opened.campaign.object ?? [:]
        var variants = body["variants"]?.array ?? []
        var (variant, card) = (variants[0].object ?? [:], variants[0]["card"]?.object ?? [:])
        (card["extras"], variant["card"]) = ([" a ": "1", "a": "2", "b\t": "3"], .object(card))
        variant["card"] = .object(card)
        variants[0] = .object(variant)
        body["variants"] = .array(variants)
        opened = CampaignDraft(campaign: .object(body), timeZone: "UTC")
        let saved = try CampaignDraft(form: sent(opened), timeZone: "UTC").content()
        #expect(saved.variants[0].card?.extras.keys.sorted() == [" a ", "a", "b\t"])

        opened.fields = place.changing(opened.fields) { rows in
            .array(
                (rows?.array ?? []).map { row in
                    guard row["key"] == " a " else { return row }
                    var row = row.object ?? [:]
                    row["key"] = " c "
                    return .object(row)
                }
            )
        }
        let changed = try CampaignDraft(form: sent(opened), timeZone: "UTC").content()
        #expect(changed.variants[0].card?.extras.keys.sorted() == ["a", "b\t", "c"])
    }

    @Test("A draft becomes the content of a campaign, or has an error for each field that is wrong")
    func content() throws {
        let campaign = try EverythingCampaign.campaign()
        let opened = CampaignDraft(campaign: campaign, timeZone: "Asia/Tokyo")
        let original = try Campaign.Content(
            json: campaign,
            allowing: ["id", "version", "status", "withdrawn", "created_at", "updated_at", "launched_at"]
        )
        #expect(try CampaignDraft(form: sent(opened), timeZone: "Asia/Tokyo").content() == original)
        var wrong = opened
        for (place, text) in [
            ("name", ""), ("variants[0].card.title", " "), ("variants[0].weight", "many"), ("salt", "\u{7}"),
            ("delivery.start", "soon"), ("conversions[0].id", "a b"),
        ] {
            wrong.fields = FormPlace(place).changing(wrong.fields) { _ in .string(text) }
        }
        let errors = #expect(throws: ModelErrors.self) { try wrong.content() }
        #expect(
            errors?.all.map(\.path) == [
                "name", "delivery.start_at", "variants[0].weight", "variants[0].card.title", "salt",
                "conversions[0].id",
            ]
        )
    }

    @Test("Without what it was before, the fields alone still say the same but for fractions of seconds")
    func fieldsAlone() throws {
        let campaign = try EverythingCampaign.campaign()
        let fields = CampaignDraft(campaign: campaign, timeZone: "Asia/Tokyo").fields
        let new = CampaignDraft(fields: fields, over: [:], timeZone: "Asia/Tokyo").campaign
        var body = new.object ?? [:]
        body["id"] = JSONValue?.none
        let content = try Campaign.Content(json: .object(body))
        let original = try Campaign.Content(
            json: campaign,
            allowing: ["id", "version", "status", "withdrawn", "created_at", "updated_at", "launched_at"]
        )
        #expect(content.variants.map(\.id) == original.variants.map(\.id))
        #expect(content.variants[0].card?.extras == original.variants[0].card?.extras)
        #expect(content.variants[0].card?.platformURLs == original.variants[0].card?.platformURLs)
        #expect(content.variants[1] == original.variants[1])
        #expect(content.conversions == original.conversions)
        #expect(content.tags == original.tags)
        #expect(content.salt == original.salt)
        #expect(content.rules.removal.count == 2)
    }

    @Test("A change of one field changes that one alone")
    func oneChange() throws {
        let campaign = try EverythingCampaign.campaign()
        var draft = CampaignDraft(campaign: campaign, timeZone: "UTC")
        draft.fields = FormPlace("variants[0].card.title").changing(draft.fields) { _ in "New" }
        draft.fields = FormPlace("audience.items[3].value").changing(draft.fields) { _ in "8" }
        let changed = CampaignDraft(form: sent(draft), timeZone: "UTC").campaign
        let differences = CampaignDifference.list(campaign, changed, timeZone: "UTC")
        #expect(differences.map(\.spot) == ["Words: Title", "Target audience: Audience"], "\(differences)")
        #expect(differences.first?.after == "New")
        var card = changed["variants"]?.array?[0]["card"]?.object ?? [:]
        card["title"] = campaign["variants"]?.array?[0]["card"]?["title"]
        #expect(JSONValue.object(card).lines == campaign["variants"]?.array?[0]["card"]?.lines)
        #expect(changed["audience"]?["any"]?.array?[3]["value"] == 8)
        #expect(changed["audience"]?["any"]?.array?[2]["value"] == "42")
        #expect(changed["delivery"]?.lines == campaign["delivery"]?.lines)
    }

    @Test("Every way to bring a card can be chosen in the form")
    func deliveries() throws {
        func delivery(_ fields: JSONValue) -> JSONValue {
            CampaignDraft(fields: ["delivery": fields], over: [:], timeZone: "Asia/Tokyo").campaign["delivery"] ?? .null
        }
        let local = delivery(["kind": "scheduled", "local": "on", "start": "2027-01-31T09:00", "end": ""])
        #expect(local == ["type": "scheduled", "local_time": true, "start_at": "2027-01-31T09:00:00", "end_at": .null])
        let action = delivery([
            "kind": "action", "delay": ["number": "2", "unit": "hours"],
            "trigger": [
                "subject": "product", "name": "sku",
                "filters": [["property": "price", "comparison": "greater_than", "value": "5"]],
            ],
        ])
        #expect(action["delay"] == 7_200.0)
        #expect(action["trigger"]?["purchase"] == "sku")
        #expect(action["trigger"]?["properties"]?.array?.first?["value"] == 5)
        let api = delivery(["kind": "api_triggered", "window": ["number": "abc", "unit": "days"]])
        #expect(api["window"] == "abc")
        #expect(api["trigger"] == nil)
    }

    @Test(
        "Values are what they look like, and a text is one in quotation marks",
        arguments: [
            ("41", JSONValue.integer(41)), ("\"41\"", "41"), ("4.5", 4.5), ("true", true), ("Tokyo", "Tokyo"),
            ("+8190", "+8190"),
            ("007", "007"), ("5\" screen", "5\" screen"), ("-3", -3), ("0", 0), ("2.0", 2), ("1e-3", 0.001),
        ]
    )
    func values(_ text: String, _ value: JSONValue) {
        #expect(ValueText.value(text)?.fieldText == value.fieldText)
        #expect(ValueText.value(ValueText.text(of: value)) == value)
    }

    @Test("Lists keep commas, quotation marks and numbers apart")
    func lists() {
        let values: [JSONValue] = ["a, b", "say \"hi\"", 41, "41", true, "x"]
        #expect(ValueText.values(ValueText.list(of: .array(values))) == values)
        #expect(ValueText.texts("1.50, \"a, b\"\n c ,, ") == ["1.50", "a, b", "c"])
    }

    @Test("Lists keep apart what begins with a mark or ends with a letter that joins the sign behind it")
    func joinedLists() {
        let texts = ["\u{301}a, b", "c, d\u{D4E}", "\u{301}e", "f\u{600}", "g\"\u{301}", " \u{301}h", "i"]
        let expected = texts.map { ByteString($0) }
        let values = JSONValue.array(texts.map(JSONValue.string))
        #expect(ValueText.values(ValueText.list(of: values)).map { ByteString($0.string ?? "") } == expected)
        #expect(ValueText.texts(ValueText.list(ofTexts: values)).map { ByteString($0) } == expected)
    }

    @Test("The properties of a preview are read, whatever marks stand beside the sign between name and value")
    func previewProperties() {
        let properties = EditorPreview.properties("a=\u{301}x\nb\u{600}=y\nc = 1")
        #expect(properties["a"]?.string.map { ByteString($0) } == ByteString("\u{301}x"))
        #expect(properties["b\u{600}"]?.string == "y")
        #expect(properties["c"] == 1)
    }

    @Test("Rows are added, grouped and removed where the buttons say")
    func reshaping() {
        var draft = CampaignDraft(
            campaign: ["audience": ["all": [["segment": "a"], ["segment": "b"]]]],
            timeZone: "UTC"
        )
        #expect(draft.reshape(["add", "c.audience.items", "event"])?.place == "c.audience.items[2]")
        _ = draft.reshape(["group", "c.audience.items[0]"])
        _ = draft.reshape(["remove", "c.audience.items[1]"])
        _ = draft.reshape(["add", "c.conversions"])
        _ = draft.reshape(["add", "c.conversions"])
        let campaign = draft.campaign
        #expect(campaign["audience"] == ["all": [["any": [["segment": "a"]]], ["event": ["name": ""]]]])
        #expect(campaign["conversions"]?.array?.compactMap { $0["id"]?.string } == ["goal1", "goal2"])
        #expect(draft.reshape(["remove", "base"]) == nil)
    }

    @Test("What is wrong is shown at its field, with the line and a mark under the column")
    func notes() throws {
        let campaign: JSONValue = [
            "variants": [
                ["id": "a", "name": "A", "card": ["type": "classic", "description": "One\n日本 {{ x | nope }}"]]
            ]
        ]
        var problem = FieldProblem(
            path: "variants[0].card.description",
            code: "template_invalid",
            message: "No.",
            isWarning: false
        )
        (problem.line, problem.column) = (2, 11)
        let view = EditorView(CampaignDraft(campaign: campaign, timeZone: "UTC"), .init(problems: [problem]))
        let note = try #require(view.noted.first)
        #expect(note.fieldID == "f-c-variants-0--card-description")
        #expect(note.notes[0].text == "Line 2, column 11: No.")
        #expect(note.notes[0].excerpt == "日本 {{ x | nope }}\n          ^")
        #expect(view.problems[0].spot == "A, Text")
    }

    @Test("An error deep in an audience leads to the condition that it is about")
    func audienceErrors() throws {
        let audience: JSONValue = [
            "all": [["segment": "a"], ["any": [["attribute": "x", "comparison": "matches_regex", "value": "("]]]]
        ]
        let problem = FieldProblem(
            path: "audience.all[1].any[0].value",
            code: "pattern_invalid",
            message: "No.",
            isWarning: false
        )
        let draft = CampaignDraft(campaign: ["audience": audience], timeZone: "UTC")
        let view = EditorView(draft, .init(problems: [problem]))
        #expect(view.problems[0].anchor == "f-c-audience-items-1--items-0--value")
    }

    @Test("Two pairs with one key, or two of one language, are said and not dropped")
    func twice() {
        let card: JSONValue = [
            "extras": [["key": "code", "value": "1"], ["key": "code", "value": "2"]],
            "translations": [["tag": "ja", "title": "x"], ["tag": "ja", "title": "y"]],
        ]
        func paths(_ card: JSONValue) -> [String] {
            CampaignDraft(fields: ["variants": [["id": "a", "card": card]]], over: [:], timeZone: "UTC").problems.map(
                \.path
            )
        }
        #expect(paths(card) == ["variants[0].card.extras.code#key", "variants[0].card.translations.ja"])
        let nameless: JSONValue = ["key": "", "value": "1"]
        #expect(paths(["extras": [nameless, nameless]]) == ["variants[0].card.extras.#key"])
        #expect(paths(["extras": [["key": "", "value": ""], nameless, ["key": "", "value": ""]]]).isEmpty)
    }

    @Test("An audience can be written as JSON, and what cannot be read is said with its line and column")
    func json() {
        let good = AudienceJSON.read("{\"all\": [{\"AND\": []}]}", timeZone: "UTC")
        #expect(good.fields?["items"]?.array?.first?["kind"] == "all")
        let broken = AudienceJSON.read("{\n \"all\": [,]}", timeZone: "UTC")
        #expect(broken.fields == nil)
        #expect(broken.problems.first?.line == 2)
        #expect(AudienceJSON.read("[1]", timeZone: "UTC").problems.isEmpty == false)
        #expect(AudienceJSON.read("{\"all\": \"x\"}", timeZone: "UTC").fields == nil)
    }
}
