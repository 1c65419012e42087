import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A card on the wire")
struct CardDecodingTests {
    private func decode(_ json: String) throws -> ContentCard {
        try JSONDecoder().decode(ContentCard.self, from: Data(json.utf8))
    }

    @Test("has every documented property")
    func everything() throws {
        let card = try decode(
            """
            {"id":"c1","type":"captioned_image","title":"T","description":"D","image":"https://i.example/a.png",
            "image_aspect_ratio":1.33,"image_alt":"A","domain":"shop.example","url":"shop://sale",
            "open_url_in_web_view":true,"extras":{"class_type":"coupon_code"},"pinned":true,"dismissible":false,
            "priority":3,"created_at":1790000000,"expires_at":1790000060.5,"viewed":true,"clicked":true,
            "dismissed":true,"test":true,"campaign_id":"cmp","variant_id":"a","language":"ja"}
            """
        )
        let expected = ContentCard(
            id: "c1",
            kind: .captionedImage,
            title: "T",
            description: "D",
            image: "https://i.example/a.png",
            imageAspectRatio: 1.33,
            imageAlt: "A",
            domain: "shop.example",
            urlString: "shop://sale",
            opensInWebView: true,
            extras: ["class_type": "coupon_code"],
            isPinned: true,
            isDismissible: false,
            priority: 3,
            createdAt: Date(timeIntervalSince1970: 1_790_000_000),
            expiresAt: Date(timeIntervalSince1970: 1_790_000_060.5),
            isViewed: true,
            isClicked: true,
            isDismissed: true,
            isTest: true,
            campaignID: "cmp",
            variantID: "a",
            language: "ja"
        )
        #expect(card == expected)
        #expect(try JSONDecoder().decode(ContentCard.self, from: JSONEncoder().encode(card)) == card)
    }

    @Test("may carry booleans as 0 and 1, numbers as text, whole ratios, and null for text")
    func tolerance() throws {
        let card = try decode(
            """
            {"id":"c1","type":"classic","title":null,"description":null,"domain":null,"extras":null,
            "image_aspect_ratio":2,"priority":"7","created_at":"1790000000","pinned":1,"dismissible":0,"viewed":"true"}
            """
        )
        #expect(card.title.isEmpty && card.description.isEmpty && card.domain == nil && card.extras.isEmpty)
        #expect(card.imageAspectRatio == 2)
        #expect(card.priority == 7)
        #expect(card.createdAt == Date(timeIntervalSince1970: 1_790_000_000))
        #expect(card.isPinned && !card.isDismissible && card.isViewed)
    }

    @Test(
        "expires when it says, and never with null, nothing or a negative time",
        arguments: [("1790000000", 1_790_000_000), ("null", nil), ("-1", nil), ("\"1790000000.5\"", 1_790_000_000.5)]
            as [(String, Double?)]
    )
    func expiry(json: String, expected: Double?) throws {
        let card = try decode(#"{"id":"a","type":"classic","expires_at":\#(json)}"#)
        #expect(card.expiresAt == expected.map { Date(timeIntervalSince1970: $0) })
        #expect(try decode(#"{"id":"a"}"#).expiresAt == nil)
    }

    @Test("turns extras that are not text into their JSON text, always the same")
    func extras() throws {
        let card = try decode(
            #"{"id":"a","extras":{"n":20,"f":1.5,"b":true,"s":"x","l":[1,"2"],"o":{"b":1,"a":[]},"z":null}}"#
        )
        let expected = ["n": "20", "f": "1.5", "b": "true", "s": "x", "l": #"[1,"2"]"#, "o": #"{"a":[],"b":1}"#]
        #expect(card.extras == expected)
    }

    @Test("is kept with a blank url, a blank image or a type nobody knows, and skipped without an id")
    func siblings() throws {
        let json = """
            {"cursor":"9","replace":true,"cards":[
              {"id":"blank","type":"banner","url":"","image":" "},{"type":"classic","title":"no id"},
              17,null,{"id":"new","type":"hologram"},{"id":"","type":"classic"}]}
            """
        let reply = try JSONDecoder().decode(SyncReply.self, from: Data(json.utf8))
        #expect(reply.cards.map(\.id) == ["blank", "new"])
        #expect(reply.skippedCards == 4)
        #expect(reply.cards[0].url == nil && reply.cards[0].imageURL == nil)
        #expect(reply.cards[1].kind == .unknown("hologram") && !reply.cards[1].isPresentable)
    }

    @Test("is of the kind that its type names, and no two kinds have a name in common")
    func kinds() {
        let known = ContentCard.Kind.known
        #expect(known == [.banner, .captionedImage, .classic, .control])
        #expect(known.map(\.wireName) == ["banner", "captioned_image", "classic", "control"])
        for kind in known + [.unknown("hologram"), .unknown("")] {
            #expect(ContentCard.Kind(wireName: kind.wireName) == kind)
        }
        #expect(known.filter(\.isPresentable) == [.banner, .captionedImage, .classic])
    }

    @Test("has a fixture of each kind, under one id")
    func fixtures() {
        let cards = ContentCard.fixtures
        #expect(cards.map(\.kind) == ContentCard.Kind.known)
        #expect(Set(cards.map(\.id)).count == cards.count)
    }

    @Test("is not taken for an empty feed when the reply has no cards at all")
    func missingCards() {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(SyncReply.self, from: Data(#"{"replace":true}"#.utf8))
        }
    }

    @Test(
        "has an address that is trimmed and percent-encoded once",
        arguments: [
            ("  https://shop.example/a \n", "https://shop.example/a"),
            ("https://shop.example/夏 sale", "https://shop.example/%E5%A4%8F%20sale"),
            ("https://shop.example/a%20b", "https://shop.example/a%20b"),
            ("https://shop.example/100%", "https://shop.example/100%25"),
            (" \n\t ", nil), ("", nil),
        ] as [(String, String?)]
    )
    func address(text: String, expected: String?) {
        #expect(ContentCard.fixture { $0.urlString = text }.url?.absoluteString == expected)
    }

    @Test("has no ratio when the server's makes no sense", arguments: ["0", "-1", "\"NaN\"", "\"wide\"", "null"])
    func ratio(json: String) throws {
        #expect(try decode(#"{"id":"a","image_aspect_ratio":\#(json)}"#).imageAspectRatio == nil)
    }

    @Test("is the same card by id, and equal only when nothing differs")
    func identity() {
        let card = ContentCard.fixture("a")
        let viewed = ContentCard.fixture("a") { $0.isViewed = true }
        #expect(card.hasSameID(as: viewed))
        #expect(card != viewed)
        #expect(card.hashValue == viewed.hashValue)
        #expect(!card.hasSameID(as: .fixture("b")))
    }
}
