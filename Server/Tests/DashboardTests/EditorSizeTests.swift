import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: campaigns that are too large for the editor")
struct EditorSizeTests {
    /// A campaign with so many variants in so many languages.
    private static func campaign(variants: Int, languages: Int, text: String = "Hello") -> JSONValue {
        let tags = (0..<languages).map { index -> String in
            let letters = Array("abcdefghijklmnopqrstuvwxyz")
            return "\(letters[index / 26 % 26])\(letters[index % 26])"
        }
        let variants = (0..<variants).map { number -> JSONValue in
            let translation: JSONValue = ["title": .string(text)]
            let translations = JSONObject(tags.map { ($0, translation) }, uniquingKeysWith: { first, _ in first })
            return [
                "id": .string("v\(number)"), "name": .string("Variant \(number)"), "weight": 1,
                "card": [
                    "type": "classic", "title": .string(text), "description": "You",
                    "translations": .object(translations),
                ],
            ]
        }
        return ["name": "Large", "variants": .array(variants)]
    }

    /// The fields of a page's form as a browser sends them, by their names and values in its HTML.
    private static func sent(_ html: String) -> FormData {
        var form = FormData()
        for match in html.matches(of: #/name="(c\.[^"]*|base)"( value="([^"]*)")?/#) {
            let value = String(match.output.3 ?? "")
                .replacing("&quot;", with: "\"").replacing("&#34;", with: "\"").replacing("&amp;", with: "&")
            form.append(String(match.output.1), value)
        }
        return form
    }

    @Test("What the editor opens can be sent, and what can't be sent isn't opened")
    func opened() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            for (variants, languages, isOpened) in [(4, 100, true), (5, 99, true), (5, 100, false), (20, 100, false)] {
                let json = Self.campaign(variants: variants, languages: languages)
                let id = CampaignID(rawValue: "large-\(variants)-\(languages)")
                let content = try Campaign.Content(json: json)
                let campaign = Campaign(id: id, content: content, createdAt: place.time.now)
                try await place.store.insertCampaign(campaign, by: .command)
                let page = try await visitor.get("/dashboard/campaigns/\(id.rawValue)/edit")
                #expect(page.status == (isOpened ? 200 : 422), "\(variants) × \(languages)")
                guard isOpened else {
                    #expect(page.text.contains("too large for the editor") && page.text.contains("placard pull"))
                    continue
                }
                let form = Self.sent(page.text)
                try FormBounds.check(form)
                let draft = CampaignDraft(form: form, timeZone: "UTC")
                #expect(EditorSize(draft).rows == variants * (languages + 1))
            }
        }
    }

    @Test("A form that is estimated is at least as long as the one that is sent")
    func estimates() {
        for text in ["Hello", "é & ü\n{{ x }}", String(repeating: "日本", count: 500)] {
            let campaign = Self.campaign(variants: 3, languages: 20, text: text)
            let draft = CampaignDraft(campaign: campaign, timeZone: "UTC")
            var form = FormData([("base", campaign.text)])
            func add(_ value: JSONValue, _ name: String) {
                switch value {
                case .object(let members): for (key, member) in members { add(member, "\(name).\(key)") }
                case .array(let elements):
                    for (index, element) in elements.enumerated() { add(element, "\(name)[\(index)]") }
                default: form.append(name, value.fieldText)
                }
            }
            add(draft.fields, "c")
            let size = EditorSize(draft)
            #expect(size.bytes >= form.encoded.utf8.count && size.fields >= form.fields.count)
            #expect(size.bytes < 2 * form.encoded.utf8.count + 30_000)
        }
        #expect(EditorSize(CampaignDraft(campaign: [:], timeZone: "UTC")).isTooLarge == false)
        let long = Self.campaign(variants: 2, languages: 3, text: String(repeating: "日", count: 30_000))
        #expect(EditorSize(CampaignDraft(campaign: long, timeZone: "UTC")).isTooLarge)
    }

    @Test("A row that the form has no room for isn't added, and what was typed stays")
    func full() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let new = "/dashboard/campaigns/new"
            var fields = [
                "base": "{}", "c.name": "Typed", "c.audience.kind": "all", "c.variants[0].id": "a",
                "c.variants[0].name": "Card", "c.variants[0].weight": "100", "c.variants[0].card.type": "classic",
                "do": "add c.variants[0].card.extras",
            ]
            for row in 0..<499 { fields["c.variants[0].card.extras[\(row)].key"] = "key\(row)" }
            let full = try await visitor.post("/dashboard/campaigns/reshape", from: new, fields)
            #expect(full.status == 200)
            #expect(full.text.contains("Remove some before you add others."))
            #expect(full.text.contains("value=\"Typed\"") && full.text.contains("value=\"key498\""))
            #expect(!full.text.contains("c.variants[0].card.extras[499].key"))
            let remove = fields.merging(["do": "remove c.variants[0].card.extras[3]"]) { $1 }
            let fewer = try await visitor.post("/dashboard/campaigns/reshape", from: new, remove)
            #expect(fewer.status == 200 && !fewer.text.contains("value=\"key3\""))
            let refused = try await visitor.post(new, from: new, fields)
            #expect(refused.status == 400 && refused.text.contains("value=\"key498\""))
            fields["c.variants[0].card.extras[498].key"] = nil
            let room = try await visitor.post("/dashboard/campaigns/reshape", from: new, fields)
            #expect(room.status == 200 && !room.text.contains("Remove some before you add others."))
        }
    }
}
