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
        #expect(RowChange(from: cards("ab"), to: cards("ab") { $0.title = "new" }) == nil)
        #expect(RowChange(from: cards("ab"), to: cards("ba")) == nil)
        #expect(RowChange(from: cards("a"), to: cards("aa")) == nil)
        #expect(RowChange(from: [], to: cards("a")) == nil)
        #expect(RowChange(from: cards("a"), to: cards("abcdefghijklmn")) == nil)
    }
}

@Suite("An impression")
struct ImpressionTrackerTests {
    @Test("counts after 0.1 seconds on screen, once")
    func once() {
        var tracker = ImpressionTracker()
        #expect(tracker.update(visible: ["a"], at: 10).isEmpty)
        #expect(tracker.nextDeadline == 10.1)
        #expect(tracker.update(visible: ["a"], at: 10.05).isEmpty)
        #expect(tracker.update(visible: ["a"], at: 10.1) == ["a"])
        #expect(tracker.update(visible: ["a"], at: 20).isEmpty)
        #expect(tracker.nextDeadline == nil)
    }

    @Test("begins anew when the card leaves the screen before")
    func interrupted() {
        var tracker = ImpressionTracker()
        _ = tracker.update(visible: ["a"], at: 0)
        _ = tracker.update(visible: [], at: 0.09)
        #expect(tracker.update(visible: ["a"], at: 0.11).isEmpty)
        #expect(tracker.update(visible: ["a"], at: 0.2).isEmpty)
        #expect(tracker.update(visible: ["a"], at: 0.22) == ["a"])
    }

    @Test("counts again in the next presentation, and not for time spent off screen")
    func presentations() {
        var tracker = ImpressionTracker()
        _ = tracker.update(visible: ["a"], at: 0)
        #expect(tracker.update(visible: ["a"], at: 1) == ["a"])
        tracker.pause()
        #expect(tracker.update(visible: ["a"], at: 2).isEmpty)
        tracker.beginPresentation()
        _ = tracker.update(visible: ["a"], at: 3)
        tracker.pause()
        #expect(tracker.update(visible: ["a"], at: 9).isEmpty)
        #expect(tracker.update(visible: ["a"], at: 9.1) == ["a"])
    }

    @Test("needs half of a card, or any part of a control card's slot")
    func area() {
        let window = CGRect(x: 0, y: 0, width: 300, height: 600)
        func isVisible(_ y: CGFloat, _ height: CGFloat, isControl: Bool = false) -> Bool {
            let card = CGRect(x: 0, y: y, width: 300, height: height)
            return ImpressionTracker.isVisible(card, isControl: isControl, in: window)
        }
        #expect(isVisible(500, 200))
        #expect(!isVisible(501, 200))
        #expect(isVisible(-100, 200))
        #expect(!isVisible(-101, 200))
        #expect(isVisible(-300, 2_000))
        #expect(!isVisible(600, 0.5, isControl: true))
        #expect(isVisible(599.9, 0.5, isControl: true))
        #expect(!isVisible(10, 0))
    }

    @Test("What a view around a card cuts off of it is not on screen")
    func cutOff() {
        let card = CGRect(x: 0, y: 100, width: 400, height: 200)
        let window = CGRect(x: 0, y: 0, width: 400, height: 600)
        func isVisible(_ height: CGFloat, isControl: Bool = false) -> Bool {
            let part = CGRect(x: 0, y: 100, width: 400, height: height)
            return ImpressionTracker.isVisible(card, isControl: isControl, part: part, in: window)
        }
        #expect(isVisible(100))
        #expect(!isVisible(99))
        #expect(isVisible(1, isControl: true))
        #expect(!isVisible(0, isControl: true))
        #expect(!ImpressionTracker.isVisible(card, isControl: true, part: .null, in: window))
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
        func name(_ change: (inout ContentCard) -> Void) -> String {
            CardCellIdentifier(for: .fixture("x", change)).name
        }
        #expect(name { $0.kind = .control } == "ABKControlCardCell")
        #expect(name { $0.kind = .banner } == "ABKBannerContentCardCell")
        #expect(name { $0.kind = .captionedImage } == "ABKCaptionedImageContentCardCell")
        #expect(name { $0.image = "https://a.example/i.png" } == "ABKClassicImageCardCell")
        #expect(name { $0.image = " " } == "ABKClassicCardCell")
        #expect(name { $0.kind = .unknown("hologram") } == "ABKControlCardCell")
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
