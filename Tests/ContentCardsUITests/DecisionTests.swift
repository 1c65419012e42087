import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCardsUI

@Suite("The change of rows")
struct RowChangeTests {
    private func cards(_ ids: String, _ change: (inout ContentCard) -> Void = { _ in }) -> [ContentCard] {
        ids.map { id in .fixture(String(id), change) }
    }

    @Test("names what leaves by its old place, and what comes by its new one")
    func places() throws {
        let change = try #require(RowChange(from: cards("abcd"), to: cards("xacy")))
        #expect(change.removed == [1, 3])
        #expect(change.inserted == [0, 3])
        #expect(try #require(RowChange(from: cards("ab"), to: cards("ab"))).isEmpty)
    }

    @Test("does not count what the feed itself has logged, and is none where a card has changed, moved or come twice")
    func limits() throws {
        #expect(try #require(RowChange(from: cards("ab"), to: cards("ab") { $0.isViewed = true })).isEmpty)
        #expect(try #require(RowChange(from: cards("ab"), to: cards("ab") { $0.priority = 9 })).isEmpty)
        #expect(try #require(RowChange(from: cards("ab"), to: cards("ab") { $0.imageAspectRatio = 2 })).isEmpty)
        #expect(RowChange(from: cards("ab"), to: cards("ab") { $0.title = "new" }) == nil)
        #expect(RowChange(from: cards("ab"), to: cards("ba")) == nil)
        #expect(RowChange(from: cards("a"), to: cards("aa")) == nil)
        #expect(RowChange(from: [], to: cards("a")) == nil)
        #expect(RowChange(from: cards("a"), to: cards("abcdefghijklmn")) == nil)
    }
}

@Suite("Decisions of the feed")
struct DecisionTests {
    @Test(
        "say where a click leads",
        arguments: [
            ("https://shop.example/a", true, CardDestination.webView),
            ("HTTP://shop.example", true, CardDestination.webView),
            ("https://shop.example/a", false, CardDestination.system),
            ("shop://item/1", true, CardDestination.system),
            // A host that the app is associated with on the web is nothing of this scheme.
            ("shop://shop.example/a", true, CardDestination.system),
            ("javascript:alert(1)", true, CardDestination.refused),
            ("  JavaScript:alert(1) ", false, CardDestination.refused),
            ("data:text/html,x", false, CardDestination.refused),
            ("file:///etc/passwd", false, CardDestination.refused),
        ] as [(String, Bool, @Sendable (URL) -> CardDestination)]
    )
    func destinations(text: String, inWebView: Bool, expected: @Sendable (URL) -> CardDestination) throws {
        let card = ContentCard.fixture {
            $0.urlString = text
            $0.opensInWebView = inWebView
        }
        #expect(CardDestination(of: card) == expected(try #require(card.url)))
    }

    @Test("lead nowhere without an address, and for control cards", arguments: [nil, "", " \n "])
    func nowhere(text: String?) {
        #expect(CardDestination(of: .fixture { $0.urlString = text }) == .nowhere)
        #expect(CardDestination(of: .fixture { $0.kind = .control }) == .nowhere)
    }

    @Test("say what a card is to those who don't see it: by what a tap does, and by where it leads")
    func roles() {
        func destination(_ text: String?) -> CardDestination { CardDestination(of: .fixture { $0.urlString = text }) }
        let addresses = ["https://shop.example", "shop://item/1", "javascript:alert(1)", nil]
        let destinations = addresses.map(destination)
        #expect(destinations.map { $0.role(isActionable: nil) } == [.link, .button, .text, .text])
        #expect(destinations.map { $0.role(isActionable: true) } == [.link, .button, .button, .button])
        #expect(destinations.map { $0.role(isActionable: false) } == [.text, .text, .text, .text])
        #expect(destinations.map { $0.isActionable(asksApp: false) } == [true, true, false, false])
        // The app is never asked about an address that is refused.
        #expect(destinations.map { $0.isActionable(asksApp: true) } == [true, true, false, true])
    }

    @Test("bound what one feed remembers of heights: no height that can't be one, and none of other conditions")
    func heights() {
        let conditions = RowHeights.Conditions(width: 390, textSize: "L")
        var heights = RowHeights()
        let id = BytewiseText("é")
        heights.note(200, of: id, under: conditions)
        for height in [0, -1, .nan, .infinity] as [CGFloat] { heights.note(height, of: id, under: conditions) }
        #expect(heights.height(of: id, under: conditions) == 200)
        #expect(heights.height(of: BytewiseText("e\u{301}"), under: conditions) == nil)
        let larger = RowHeights.Conditions(width: 390, textSize: "XL")
        #expect(heights.height(of: id, under: larger) == nil)
        heights.note(300, of: BytewiseText("b"), under: larger)
        #expect(heights.height(of: id, under: conditions) == nil)
        #expect(heights.height(of: id, under: larger) == nil)
    }

    @Test("rearrange a dozen rows at most, and tell ids apart that only read the same")
    func manyChanges() {
        let cards = (0..<14).map { ContentCard.fixture("c\($0)") }
        #expect(RowChange(from: cards, to: Array(cards.dropFirst(12)))?.removed == Array(0..<12))
        #expect(RowChange(from: cards, to: Array(cards.dropFirst(13))) == nil)
        #expect(RowChange(from: cards, to: []) == nil)
        #expect(RowChange(from: Array(cards.prefix(3)), to: [])?.removed == [0, 1, 2])
        // Two ids that read the same are two cards.
        let (one, two) = (ContentCard.fixture("é"), ContentCard.fixture("e\u{301}"))
        #expect(RowChange(from: [one], to: [two])?.inserted == [0])
        #expect(RowChange(from: [one], to: [one, two])?.inserted == [1])
    }

    @Test("keep rows through a failure, and never call control cards content")
    func status() {
        func status(_ cards: Bool, _ refreshing: Bool, _ synced: Bool, _ failed: Bool) -> FeedStatus {
            FeedStatus(hasCards: cards, isRefreshing: refreshing, hasSynced: synced, hasFailed: failed)
        }
        #expect(status(true, true, false, true) == .cards)
        #expect(status(false, true, false, false) == .loading)
        #expect(status(false, true, true, false) == .empty)
        #expect(status(false, false, true, false) == .empty)
        #expect(status(false, false, false, true) == .failed)
    }

    @Test("make a usable ratio of anything", arguments: [nil, 0, -1, Double.nan, .infinity, 1e-9, 1e9])
    func badRatios(value: Double?) {
        #expect(ImageRatio(value).value == 1)
    }

    @Test("follow a ratio only when it really differs")
    func ratios() {
        #expect(!ImageRatio(1.5).differs(from: ImageRatio(1.501)))
        #expect(ImageRatio(1.5).differs(from: ImageRatio(1.6)))
        #expect(ImageRatio(CGSize(width: 10, height: 0)).value == 1)
        #expect(ImageRatio(CGSize(width: 10, height: 5)).value == 2)
    }

    @Test("keep a fresh card's bar until it leaves, is tapped or was refreshed")
    func marks() {
        var marks = UnreadMarks()
        #expect(marks.looksViewed("a", isViewed: true))
        marks.saw("a", wasViewed: false, isControl: false)
        marks.saw("b", wasViewed: true, isControl: false)
        marks.saw("c", wasViewed: false, isControl: true)
        #expect(marks.ids == ["a"])
        #expect(!marks.looksViewed("a", isViewed: true))
        marks.refreshed(visible: ["a"])
        #expect(marks.looksViewed("a", isViewed: true))
        #expect(!marks.looksViewed("z", isViewed: false))
    }

    @Test("read images that an address holds itself, and nothing else that it might hold")
    func imagesWithin() throws {
        func bytes(_ text: String) throws -> Data? { URLSessionImages.bytes(within: try #require(URL(string: text))) }
        #expect(try bytes("data:image/png;base64,aGVsbG8=") == Data("hello".utf8))
        #expect(try bytes("DATA:image/webp;BASE64,aGVsbG8%3D") == Data("hello".utf8))
        for other in [
            "data:text/html;base64,aGVsbG8=", "data:image/png,hello", "https://shop.example/a.png;base64,aGVs",
        ] {
            #expect(try bytes(other) == nil)
        }
    }

    @Test("choose the cell by the card, and none that could be missing")
    func identifiers() {
        func identifier(_ change: (inout ContentCard) -> Void) -> CardCellIdentifier {
            CardCellIdentifier(for: .fixture("x", change))
        }
        #expect(identifier { $0.kind = .control } == .control)
        #expect(identifier { $0.kind = .banner } == .banner)
        #expect(identifier { $0.kind = .captionedImage } == .captionedImage)
        #expect(identifier { $0.image = "https://a.example/i.png" } == .classicImage)
        #expect(identifier { $0.image = " " } == .classic)
        #expect(identifier { $0.kind = .unknown("hologram") } == .control)
    }

    @Test("say things in the user's language, else in English")
    func languages() {
        #expect(ContentCardsText.delete.text(languages: ["ja-JP", "en"]) == "削除")
        #expect(ContentCardsText.delete.text(languages: ["tlh", "ja"]) == "削除")
        #expect(ContentCardsText.delete.text(languages: ["tlh"]) == "Delete")
        for text in ContentCardsText.allCases {
            #expect(text.text(languages: ["en"]) != text.rawValue)
            #expect(text.text(languages: ["ja"]) != text.text(languages: ["en"]))
        }
    }
}
