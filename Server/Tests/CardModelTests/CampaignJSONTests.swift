import CardModel
import Testing
import WireJSON

@Suite("A campaign is read from JSON as a person writes it")
struct CampaignJSONTests {
    static let full: JSONValue = [
        "name": "春のセール", "tags": ["sale", "spring"],
        "delivery": ["type": "scheduled", "start_at": "2027-03-01T09:00:00+09:00", "end_at": 1_900_000_000.5],
        "audience": ["all": [["attribute": "country", "value": "JP"], ["any": []]]],
        "variants": [
            [
                "id": "a", "name": "A", "weight": 3,
                "card": [
                    "type": "captioned_image", "title": "T", "description": "D", "image": "https://x/y.png",
                    "image_aspect_ratio": 1.5, "image_alt": "alt", "domain": "x", "url": "shop://sale",
                    "open_url_in_web_view": true, "extras": ["k": "v", "n": 5, "o": ["b": true], "gone": .null],
                    "pinned": true, "dismissible": true, "priority": -7, "expires_after": 3600.5, "language": "ja",
                ],
            ],
            ["id": "control", "control": true],
        ],
    ]

    @Test("Every field is read")
    func readsAll() throws {
        let content = try Campaign.Content(json: Self.full)
        #expect(content.name == "春のセール")
        #expect(content.tags == ["sale", "spring"])
        #expect(content.delivery == .scheduled(start: 1_803_859_200, end: 1_900_000_000.5))
        let card = try #require(content.variants[0].card)
        #expect(card.layout == .captionedImage)
        #expect([card.title, card.description, card.image, card.imageAlt] == ["T", "D", "https://x/y.png", "alt"])
        #expect([card.domain, card.url, card.language] == ["x", "shop://sale", "ja"])
        #expect(card.imageAspectRatio == 1.5 && card.opensURLInWebView && card.isPinned && card.isDismissible)
        #expect(card.priority == -7)
        #expect(card.extras == ["k": "v", "n": "5", "o": #"{"b":true}"#])
        #expect(card.expiry == .afterDelivery(seconds: 3600.5))
        #expect(
            content.variants[1].isControl && content.variants[1].name == "Control" && content.variants[1].weight == 1
        )
    }

    @Test("What is read back is the same, through text and through the whole campaign")
    func roundTrips() throws {
        let content = try Campaign.Content(json: Self.full)
        #expect(try Campaign.Content(json: JSONValue(parsing: JSONValue.object(content.json).bytes)) == content)
        let campaign = Campaign(id: CampaignID(rawValue: "c"), content: content, createdAt: 5.25)
        let others: Set<String> = ["id", "version", "status", "withdrawn", "created_at", "updated_at", "launched_at"]
        let text = campaign.json.text
        #expect(try Campaign.Content(json: JSONValue(parsing: text), allowing: others) == content)
        #expect(
            campaign.json["version"] == 1 && campaign.json["status"] == "draft"
                && campaign.json["launched_at"] == JSONValue.null
        )
    }

    @Test("What is left out has its default")
    func readsDefaults() throws {
        let content = try Campaign.Content(json: [
            "name": "n", "tags": .null, "delivery": .null, "audience": .null,
            "variants": [
                ["card": ["type": "banner", "image": "i"]],
                ["card": ["type": "classic", "title": "t", "description": "d"]],
            ],
        ])
        #expect(
            content.tags.isEmpty && content.delivery == .scheduled(start: nil, end: nil)
                && content.audience == .everyone
        )
        #expect(content.variants.map(\.id.rawValue) == ["a", "b"])
        #expect(content.variants.map(\.name) == ["Variant a", "Variant b"])
        let card = try #require(content.variants[0].card)
        #expect(
            card.expiry == .never && !card.isPinned && card.isDismissible && card.priority == 0 && card.extras.isEmpty
        )
        #expect(try Campaign.Content(json: JSONValue(parsing: JSONValue.object(content.json).text)) == content)
    }

    @Test(
        "A pinned card cannot be dismissed unless the campaign says so",
        arguments: [
            (false, nil, true), (true, nil, false), (true, true, true), (false, false, false),
        ] as [(Bool, Bool?, Bool)]
    )
    func derivesDismissible(pinned: Bool, said: Bool?, dismissible: Bool) throws {
        var card = CardTemplate(layout: .banner)
        card.isPinned = pinned
        card.dismissible = said
        #expect(card.isDismissible == dismissible)
    }

    @Test("Each form of expiry says when a card leaves")
    func expires() throws {
        func expiry(_ members: JSONValue) throws -> UnixTime? {
            guard var object = members.object else { return nil }
            object["type"] = "banner"
            object["image"] = "i"
            return try CardTemplate(json: .object(object), at: "card").expiresAt(deliveredAt: 1_000, clock: .utc)
        }
        #expect(try expiry([:]) == nil)
        #expect(try expiry(["expires_at": 1_900_000_000]) == 1_900_000_000)
        #expect(try expiry(["expires_at": "2027-01-01"]) == 1_798_761_600)
        #expect(try expiry(["expires_after": 1]) == 1_001)
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let change: @Sendable (inout [String: JSONValue]) -> Void
        let code: ModelError.Code
        let path: String
        var testDescription: String { "\(code.rawValue) at \(path)" }
    }

    private static func campaign(
        _ field: String,
        _ value: JSONValue?,
        _ code: ModelError.Code,
        _ path: String
    ) -> Refusal {
        Refusal(change: { $0[field] = value }, code: code, path: path)
    }

    private static func variants(_ value: JSONValue, _ code: ModelError.Code, _ path: String) -> Refusal {
        campaign("variants", value, code, path)
    }

    private static func card(_ members: JSONValue, _ code: ModelError.Code, _ path: String) -> Refusal {
        let whole: JSONValue = ["type": "captioned_image", "title": "t", "description": "d", "image": "i"]
        var card = whole.object ?? [:]
        for (name, value) in members.object ?? [:] { card[name] = value }
        return variants([["card": .object(card)]], code, "variants[0].card.\(path)")
    }

    private static let banner: JSONValue = ["type": "banner", "image": "i"]

    private static let refusals: [Refusal] = [
        campaign("name", nil, .fieldMissing, "name"), campaign("name", .null, .fieldMissing, "name"),
        campaign("name", "", .fieldInvalid, "name"), campaign("name", 5, .fieldInvalid, "name"),
        campaign("name", .string(String(repeating: "x", count: 256)), .fieldInvalid, "name"),
        campaign("nmae", "x", .fieldUnknown, "nmae"), campaign("tags", "x", .fieldInvalid, "tags"),
        campaign("tags", ["a", 1], .fieldInvalid, "tags[1]"), campaign("audience", [], .fieldInvalid, "audience"),
        campaign("delivery", "now", .fieldInvalid, "delivery"),
        campaign("delivery", ["type": "carrier_pigeon"], .fieldInvalid, "delivery.type"),
        campaign("delivery", ["start": 1], .fieldUnknown, "delivery.start"),
        campaign("delivery", ["start_at": "tomorrow"], .fieldInvalid, "delivery.start_at"),
        campaign("delivery", ["start_at": -1], .fieldInvalid, "delivery.start_at"),
        campaign("delivery", ["start_at": true], .fieldInvalid, "delivery.start_at"),
        campaign("delivery", ["start_at": 5, "end_at": 5], .fieldInvalid, "delivery.end_at"),
        campaign("delivery", ["end_at": 300_000_000_000], .fieldInvalid, "delivery.end_at"),
        campaign("variants", nil, .fieldMissing, "variants"), variants([], .fieldInvalid, "variants"),
        variants([:], .fieldInvalid, "variants"), variants([1], .fieldInvalid, "variants[0]"),
        variants(
            .array(Array(repeating: JSONValue(dictionaryLiteral: ("card", banner)), count: 21)),
            .fieldInvalid,
            "variants"
        ),
        variants([["card": banner], ["id": "a", "card": banner]], .fieldInvalid, "variants[1].id"),
        variants([["id": "a b", "card": banner]], .fieldInvalid, "variants[0].id"),
        variants([["id": "", "card": banner]], .fieldInvalid, "variants[0].id"),
        variants([["card": banner, "weight": -1]], .fieldInvalid, "variants[0].weight"),
        variants([["card": banner, "weight": 1.5]], .fieldInvalid, "variants[0].weight"),
        variants([["card": banner, "weight": 0]], .fieldInvalid, "variants"),
        variants([["control": true, "card": banner]], .fieldInvalid, "variants[0].card"),
        variants([["control": "yes"]], .fieldInvalid, "variants[0].control"),
        variants([["name": "x"]], .fieldMissing, "variants[0].card"),
        variants([["control": true], ["id": "c", "control": true]], .fieldInvalid, "variants"),
        variants([["card": banner, "wieght": 1]], .fieldUnknown, "variants[0].wieght"),
        variants([["card": "banner"]], .fieldInvalid, "variants[0].card"),
        variants([["card": [:]]], .fieldMissing, "variants[0].card.type"),
        card(["type": "control"], .fieldInvalid, "type"), card(["type": 1], .fieldInvalid, "type"),
        card(["title": .null], .fieldMissing, "title"), card(["title": ""], .fieldMissing, "title"),
        card(["description": .null], .fieldMissing, "description"), card(["image": .null], .fieldMissing, "image"),
        card(["image": ""], .fieldMissing, "image"), card(["title": 5], .fieldInvalid, "title"),
        card(["image_aspect_ratio": 0], .fieldInvalid, "image_aspect_ratio"),
        card(["image_aspect_ratio": "1"], .fieldInvalid, "image_aspect_ratio"),
        card(["pinned": 1], .fieldInvalid, "pinned"), card(["dismissible": "no"], .fieldInvalid, "dismissible"),
        card(["priority": 1_000_001], .fieldInvalid, "priority"), card(["priority": 0.5], .fieldInvalid, "priority"),
        card(["extras": []], .fieldInvalid, "extras"), card(["expires_at": "soon"], .fieldInvalid, "expires_at"),
        card(["expires_after": 0], .fieldInvalid, "expires_after"),
        card(["expires_at": 5, "expires_after": 5], .fieldInvalid, "expires_after"),
        card(["url": "javascript:alert(1)"], .fieldInvalid, "url"), card(["colour": "red"], .fieldUnknown, "colour"),
    ]

    @Test("What is wrong is named with its code and place", arguments: refusals)
    func refuses(refusal: Refusal) throws {
        var members: [String: JSONValue] = ["name": "n", "variants": [["card": Self.banner]]]
        _ = try Campaign.Content(json: .object(.init(uniqueKeysWithValues: members)))
        refusal.change(&members)
        let error = #expect(throws: ModelError.self) {
            try Campaign.Content(json: .object(.init(uniqueKeysWithValues: members)))
        }
        #expect(error?.code == refusal.code)
        #expect(error?.path == refusal.path)
        #expect(error?.description.hasPrefix("\(refusal.path): ") == true)
    }

    @Test("Each wrong field has an error of its own, in the order of the fields, and the first is that of the reader")
    func everyError() throws {
        let json: JSONValue = [
            "name": "", "tags": "x", "delivery": ["type": "no"], "audience": ["nope": 1],
            "variants": [
                ["id": "a b", "weight": -1, "card": ["type": "classic", "url": "javascript:x", "priority": "x"]],
                ["id": "b", "card": ["type": "captioned_image", "title": 1]],
                ["id": "c", "control": true], ["id": "c", "control": true, "card": ["type": "banner", "image": "i"]],
                ["id": "c", "card": Self.banner], ["card": ["type": "none"]],
            ],
            "rules": ["freeze": 1], "salt": 7, "conversions": [["id": "x"], ["id": ""], 1],
        ]
        let errors = try #require(#expect(throws: ModelErrors.self) { try Campaign.Content.read(json) })
        let cards = ["card.url", "card.priority", "card.title", "card.description"]
        var paths: [String] = ["name", "tags", "delivery.type", "audience.nope"]
        paths += ["variants[0].id", "variants[0].weight"]
        paths += cards.map { "variants[0].\($0)" }
        paths += ["variants[1].card.title", "variants[1].card.description", "variants[1].card.image"]
        paths += ["variants[3].card", "variants[3].id", "variants[4].id", "variants[5].card.type"]
        paths += ["rules.freeze", "salt"]
        paths += ["conversions[0].on", "conversions[1].id", "conversions[2]"]
        #expect(errors.all.map(\.path) == paths)
        #expect(throws: errors.first) { try Campaign.Content(json: json) }
        let unknown = #expect(throws: ModelErrors.self) { try Campaign.Content.read(["nope": 1, "more": 1]) }
        #expect(unknown?.all.map(\.path) == ["nope", "more", "name", "variants"])
        #expect(unknown?.first.code == .fieldUnknown)
    }

    @Test("What is asked of all variants is asked once each of them can be read")
    func variantsTogether() {
        func paths(_ variants: JSONValue) -> [String] {
            do throws(ModelErrors) {
                _ = try Campaign.Content.read(["name": "n", "variants": variants])
                return []
            } catch {
                return error.all.map(\.path)
            }
        }
        let silent: JSONValue = ["id": "a", "weight": 0, "card": Self.banner]
        #expect(paths([silent]) == ["variants"])
        #expect(paths([silent, ["id": "b", "weight": 0]]) == ["variants[1].card"])
        #expect(paths([]) == ["variants"])
        #expect(paths(.null) == ["variants"])
        #expect(paths([["control": true], ["control": true]]) == ["variants"])
    }

    @Test("Anything but an object is no campaign", arguments: [[], "x", 1, .null, true] as [JSONValue])
    func refusesOtherKinds(json: JSONValue) {
        let error = #expect(throws: ModelError.self) { try Campaign.Content(json: json) }
        #expect(error?.code == .fieldInvalid && error?.path == "" && error?.description == error?.message)
    }

    @Test(
        "URLs that run code or read the device are refused however they are spelled",
        arguments: [
            "javascript:x", "JavaScript:x", " javascript:x", "java\nscript:x", "java\tscript:x", "\u{1}javascript:x",
            "javascript\r\n:x", "java\u{0}script:x", "data:text/html,x", "DATA:,", "file:///etc/passwd", "vbscript:x",
            "blob:x",
        ]
    )
    func refusesURL(url: String) {
        let error = #expect(throws: ModelError.self) {
            try CardTemplate(json: ["type": "banner", "image": "i", "url": .string(url)], at: "card")
        }
        #expect(error?.path == "card.url")
    }

    @Test(
        "Other URLs are kept as they are written",
        arguments: [
            "https://x/?q=javascript:x", "shop://data:1", "mailto:a@b", "/data", "data", "javascript", "",
            "javascripts:x", "tel:1",
        ]
    )
    func keepsURL(url: String) throws {
        let card = try CardTemplate(json: ["type": "banner", "image": "i", "url": .string(url)], at: "card")
        #expect(card.url == url)
    }

    @Test("A card's size is the bytes of what was written")
    func measures() throws {
        let card = try CardTemplate(
            json: ["type": "classic", "title": "é", "description": "abc", "url": "a:b", "extras": ["ключ": "v"]],
            at: "card"
        )
        #expect(card.contentSize == 2 + 3 + 3 + 8 + 1)
    }
}
