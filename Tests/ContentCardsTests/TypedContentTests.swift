import ContentCards
import ContentCardsTesting
import Foundation
import Testing

private struct Coupon: CardContent {
    static let classType = ContentCardClassType.coupon

    enum Style: String, Decodable, CaseIterable {
        case plain
        case festive
    }

    struct Terms: Decodable, Equatable {
        var minimum: Int
    }

    let card: ContentCard
    let discountPercentage: Decimal
    let uses: Int
    let isStackable: Bool
    let link: URL?
    let until: Date?
    let style: Style?
    let terms: Terms?
    let tags: [String]?
}

/// Decodes itself by hand, twice at each step.
private struct Nested: CardContent {
    static let classType = ContentCardClassType.recipe

    enum CodingKeys: CodingKey {
        case card, left, right, name
    }

    let card: ContentCard
    let name: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        card = try container.decode(ContentCard.self, forKey: .card)
        _ = try? container.decode(Self.self, forKey: .left)
        _ = try? container.decode(Self.self, forKey: .right)
        name = try container.decode(String.self, forKey: .name)
    }
}

private struct Tile: ContentCardable {
    static let contentCardClassTypes: [ContentCardClassType] = [.item(.tile), .message(.fullPage)]

    var contentCardData: ContentCardData?
    var title: String

    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let idString = metaData[.idString] as? String,
            let createdAt = metaData[.created] as? Double,
            let isDismissable = metaData[.dismissable] as? Bool,
            let extras = metaData[.extras] as? [AnyHashable: Any]
        else { return nil }
        let isControl = metaData[.isControl] as? Bool ?? false
        guard let title = extras["tile_title"] as? String ?? (isControl ? "" : nil) else { return nil }
        contentCardData = ContentCardData(
            contentCardId: idString,
            contentCardClassType: contentCardClassType,
            createdAt: createdAt,
            isDismissable: isDismissable
        )
        self.title = title
    }
}

extension ContentCardClassType {
    fileprivate static let recipe = ContentCardClassType(rawValue: "recipe")
}

@Suite("Typed contents", .timeLimit(.minutes(20)))
struct TypedContentTests {
    let bed = TestBed()

    private let full = [
        "class_type": "Coupon_Code", "discount_percentage": " 12.50 ", "uses": "3", "is_stackable": "1",
        "link": "https://shop.example/a b", "until": "2026-09-21T14:13:20Z", "style": "festive",
        "terms": #"{"minimum":5}"#, "tags": "a, b",
    ]

    private func feed(_ extras: [String: String]) -> CardFeed {
        CardFeed(cards: [.fixture("c") { $0.extras = extras }], at: bed.clock.now)
    }

    @Test("decode from text to numbers, addresses, dates, enums, lists and nested JSON")
    func decoding() throws {
        let coupon = try #require(feed(full).objects(Coupon.self).first)
        #expect(coupon.card.id == "c")
        #expect(coupon.discountPercentage == Decimal(string: "12.5"))
        #expect(coupon.uses == 3 && coupon.isStackable && coupon.style == .festive)
        #expect(coupon.link?.absoluteString == "https://shop.example/a%20b")
        #expect(coupon.until == Date(timeIntervalSince1970: 1_790_000_000))
        #expect(coupon.terms == Coupon.Terms(minimum: 5) && coupon.tags == ["a", "b"])
    }

    @Test("divide lists at their commas, whatever marks stand beside those")
    func lists() throws {
        var extras = full
        extras["tags"] = "a\u{600},b,\u{301}c"
        let coupon = try #require(feed(extras).objects(Coupon.self).first)
        #expect(coupon.tags == ["a\u{600}", "b", "\u{301}c"])
    }

    @Test("take blank and missing extras as nil where that is allowed")
    func optionals() throws {
        var extras = full
        for name in ["link", "until", "style", "terms", "tags"] { extras[name] = name < "m" ? " " : nil }
        let typed = try #require(feed(extras).typedCards(Coupon.self).first)
        #expect(typed.link == nil && typed.until == nil && typed.style == nil && typed.terms == nil)
        #expect(typed.card.id == typed.id)
    }

    @Test(
        "leave out a card whose extras are wrong",
        arguments: [
            ("discount_percentage", "abc"), ("discount_percentage", "12abc"), ("discount_percentage", "0x10"),
            ("discount_percentage", nil), ("uses", "1.5"), ("is_stackable", "maybe"), ("style", "loud"),
            ("until", "tomorrow"), ("terms", "{"),
        ] as [(String, String?)]
    )
    func wrong(name: String, value: String?) {
        var extras = full
        extras[name] = value
        #expect(feed(extras).objects(Coupon.self).isEmpty)
    }

    @Test("tell the server which extra is wrong, once for each version of the card, also after a new start")
    func contentErrors() async throws {
        var extras = full
        extras["discount_percentage"] = "abc"
        bed.serve([.fixture("bad") { $0.extras = extras }, .fixture("good") { $0.extras = full }])
        let reports = Collected<Diagnostic>()
        var client = bed.launch { $0.log = { reports.add($0) } }
        await client.identify("a")
        let feed = try #require(await client.updates.first { $0.count == 2 })
        for _ in 0..<3 { #expect(feed.objects(Coupon.self).map(\.card.id) == ["good"]) }
        try await client.flush()
        await client.close()
        client = bed.launch()
        #expect(client.feed.objects(Coupon.self).count == 1)
        try await client.flush()
        #expect(bed.sentEvents.map(\.type) == ["content_error"])
        let event = try #require(bed.sentEvents.first)
        #expect(event.card == "bad" && event.field == "discount_percentage" && event.message?.contains("abc") == true)
        let contentErrors = reports.all.filter { if case .contentError = $0 { true } else { false } }
        #expect(contentErrors.count == 1, "\(reports.all)")
    }

    @Test("come from meta data too, and log to the client whose feed they were made of")
    func contentCardable() async throws {
        bed.serve([
            .fixture("tile") { $0.extras = ["class_type": "home_tile", "tile_title": "T"] },
            .fixture("control") { ($0.kind, $0.extras) = (.control, ["class_type": "HOME_TILE"]) },
            .fixture("other") { $0.extras = ["class_type": "recipe"] },
            .fixture("plain"),
        ])
        let client = bed.launch()
        await client.identify("a")
        let feed = try #require(await client.updates.first { $0.count == 4 })
        _ = bed.launch { $0.storage = .memory }
        let tiles = feed.objects(Tile.self)
        #expect(tiles.map(\.contentCardData?.contentCardId) == ["control", "tile"])
        #expect(tiles.map(\.contentCardData?.isControl) == [true, false])
        for tile in tiles { tile.logContentCardImpression() }
        tiles[1].logContentCardClicked()
        tiles[1].logContentCardDismissed()
        #expect(client.feed.cards(of: .item(.tile)).map(\.isViewed) == [true])
        #expect(client.feed.cards(of: .recipe).map(\.id) == ["other"])
        #expect(client.pendingEventCount == 4)
    }

    @Test("are clicked without a url, and not dismissed where their card is not dismissible")
    func fixedTile() async throws {
        bed.serve([
            .fixture("tile") {
                $0.extras = ["class_type": "home_tile", "tile_title": "T"]
                ($0.urlString, $0.isDismissible) = (nil, false)
            }
        ])
        let client = bed.launch()
        await client.identify("a")
        let feed = try #require(await client.updates.first { $0.count == 1 })
        let tile = try #require(feed.objects(Tile.self).first)
        tile.logContentCardDismissed()
        #expect(client.pendingEventCount == 0 && client.feed.count == 1)
        tile.logContentCardClicked()
        #expect(client.pendingEventCount == 1)
    }

    @Test("are told whether the user has seen and clicked the card")
    func userState() {
        let fresh = ContentCard.fixture().metaData
        let known = ContentCard.fixture {
            $0.isViewed = true
            $0.isClicked = true
        }.metaData
        #expect([fresh[.viewed] as? Bool, fresh[.clicked] as? Bool] == [false, false])
        #expect([known[.viewed] as? Bool, known[.clicked] as? Bool] == [true, true])
    }

    @Test("log nothing where there is no card, or none any more")
    func noCard() async throws {
        var tile = try #require(
            Tile(metaData: ContentCard.fixture { $0.extras = ["tile_title": "x"] }.metaData, classType: .none)
        )
        let client = bed.launch()
        await client.identify("a")
        tile.logContentCardClicked()
        tile.contentCardData = nil
        tile.logContentCardImpression()
        #expect(!tile.isContentCard)
        #expect(client.pendingEventCount == 0)
    }

    @Test("have data that is equal and hashes by the id alone")
    func data() {
        let one = ContentCardData(contentCardId: "x", contentCardClassType: .ad, createdAt: 1, isDismissible: true)
        let two = ContentCardData(contentCardId: "x", contentCardClassType: .coupon, createdAt: 2, isDismissible: false)
        #expect(one == two && one.hashValue == two.hashValue)
        #expect(Set([one, two]).count == 1)
    }

    @Test("decode for one card as for the feed, and report what does not")
    func contentOfOne() async throws {
        let good: ContentCard = .fixture("good") {
            $0.extras = ["class_type": "coupon_code", "discount_percentage": "5", "uses": "1", "is_stackable": "true"]
        }
        let bad: ContentCard = .fixture("bad") { $0.extras = ["class_type": "coupon_code", "uses": "many"] }
        bed.serve([good, bad])
        let client = bed.launch()
        await client.identify("a")
        try await client.refresh()
        var reports = client.diagnostics.makeAsyncIterator()
        let feed = client.feed
        #expect(feed.content(Coupon.self, of: good)?.uses == 1)
        #expect(feed.content(Coupon.self, of: bad) == nil)
        var reported: String?
        while reported == nil, let next = await reports.next() {
            if case .contentError(let id, "coupon_code", _, _) = next { reported = id }
        }
        #expect(reported == "bad")
        #expect(CardFeed(cards: []).content(Coupon.self, of: bad) == nil)
        await client.close()
    }

    @Test("know the documented class types in any case, and nothing for none")
    func classTypes() {
        let names = ["AD_banner", "coupon_code", "home_tile", "group", "message_full_page", "message_webview", ""]
        let expected: [ContentCardClassType] = [
            .ad, .coupon, .item(.tile), .item(.group), .message(.fullPage), .message(.webView), .none,
        ]
        #expect(names.map { ContentCardClassType(rawType: $0) } == expected)
        #expect([nil, " ", "\t\n"].allSatisfy { ContentCardClassType(rawType: $0) == .none })
    }

    @Test("that decode themselves by hand are described to the end")
    func endless() {
        #expect(
            Nested.schema.fields == [.init("left", .json), .init("right", .json), .init("name", .string)]
        )
    }

    @Test("describe themselves to the server")
    func schema() async throws {
        bed.transport.answer("v1/content-types") { _ in .json("{}") }
        let client = bed.launch { $0.appVersion = "1.2" }
        try await client.publishContentTypes([Coupon.self])
        let request = try #require(bed.transport.requests(to: "v1/content-types").first)
        #expect(request.method == "PUT")
        #expect(
            Coupon.schema.fields == [
                .init("discount_percentage", .decimal), .init("uses", .integer), .init("is_stackable", .boolean),
                .init("link", .url, isRequired: false), .init("until", .date, isRequired: false),
                .init("style", .enumeration(["plain", "festive"]), isRequired: false),
                .init("terms", .json, isRequired: false), .init("tags", .json, isRequired: false),
            ]
        )
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        #expect(body.hasPrefix(#"{"types":[{"class_type":"coupon_code","fields":[{"name":"discount_percentage","#))
        #expect(body.hasSuffix(#"],"app_version":"1.2"}"#))
    }
}
