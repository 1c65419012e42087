import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

/// Takes every address, or lets every one go.
@MainActor
private final class Gate: ABKContentCardsTableViewControllerDelegate, ABKURLDelegate {
    var shouldFeedOpen = true
    var takesAddresses = false
    private(set) var asked: [String] = []
    private(set) var opened: [URL] = []
    private(set) var extras: [String?] = []
    /// The addresses that the app was asked about.
    private(set) var addresses: [String?] = []

    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        shouldHandleCardClick url: URL!
    ) -> Bool {
        asked.append("feed")
        return shouldFeedOpen
    }

    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        didHandleCardClick url: URL!
    ) {
        opened.append(url)
    }

    func handleAppboyURL(_ url: URL?, from channel: ABKChannel, withExtras extras: [AnyHashable: Any]?) -> Bool {
        asked.append("app")
        #expect(channel == .contentCardChannel)
        self.extras.append(extras?["k"] as? String)
        addresses.append(url?.absoluteString)
        return takesAddresses
    }
}

/// Writes the calls without implicitly unwrapped arguments.
@MainActor
private final class PlainGate: ABKContentCardsTableViewControllerDelegate {
    private(set) var asked: [URL] = []

    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool {
        asked.append(url)
        return false
    }
}

extension SharedInstanceTests {
    @Suite("A click in a feed")
    @MainActor
    struct Clicks {
        private func click(
            _ gate: Gate,
            delegate: (any ABKContentCardsTableViewControllerDelegate)? = nil,
            on card: ContentCard = .fixture("a") { $0.extras = ["k": "v"] }
        ) async -> ABKContentCard? {
            let harness = await Harness([card])
            await harness.refresh()
            harness.appboy.appboyUrlDelegate = gate
            let feed = ABKContentCardsTableViewController()
            feed.delegate = delegate ?? gate
            let screen = harness.show(feed)
            feed.tableView(feed.tableView, didSelectRowAt: IndexPath(row: 0, section: 0))
            screen.drawIfNeeded()
            let card = harness.appboy.contentCardsController.contentCards.first
            await harness.stop()
            return card
        }

        @Test("asks the delegate, then the app, and tells the delegate that the address was opened")
        func opening() async {
            let gate = Gate()
            let card = await click(gate)
            #expect(gate.asked == ["feed", "app"])
            #expect(gate.extras == ["v"])
            #expect(gate.opened.map(\.absoluteString) == ["https://shop.example/a"])
            #expect(card?.clicked == true)
        }

        @Test("is logged, and opens nothing, where the delegate says no")
        func refusing() async {
            let gate = Gate()
            gate.shouldFeedOpen = false
            let card = await click(gate)
            #expect(gate.asked == ["feed"])
            #expect(gate.opened.isEmpty)
            #expect(card?.clicked == true)
        }

        @Test("is logged, and opens nothing, where the app has taken the address")
        func taking() async {
            let gate = Gate()
            gate.takesAddresses = true
            let card = await click(gate)
            #expect(gate.asked == ["feed", "app"])
            #expect(gate.opened.isEmpty)
            #expect(card?.clicked == true)
        }

        @Test("opens nothing and asks nobody where the app has logged it by itself")
        func loggedByApp() async {
            let gate = Gate()
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            harness.appboy.appboyUrlDelegate = gate
            let feed = ABKContentCardsTableViewController()
            feed.delegate = gate
            let screen = harness.show(feed)
            var opened: [URL] = []
            screen.shouldOpen = { url in
                opened.append(url)
                return true
            }
            let card = harness.appboy.contentCardsController.contentCards.first
            card?.logContentCardClicked()
            await harness.settle()
            screen.drawIfNeeded()
            #expect(card?.clicked == true)
            #expect(opened.isEmpty && gate.asked.isEmpty && gate.opened.isEmpty)
            await harness.stop()
        }

        @Test(
            "asks the app once about each address: for the browser, for a page inside the app, and of another scheme",
            arguments: ["https://shop.example/a", "HTTP://shop.example/b", "shop://item/1", "mailto:a@shop.example"],
            [false, true]
        )
        func everyAddress(address: String, inWebView: Bool) async {
            let gate = Gate()
            gate.takesAddresses = true
            let card = ContentCard.fixture("a") {
                $0.urlString = address
                $0.opensInWebView = inWebView
            }
            let clicked = await click(gate, on: card)
            #expect(gate.asked == ["feed", "app"])
            #expect(gate.addresses == [address])
            #expect(gate.opened.isEmpty)
            #expect(clicked?.clicked == true)
        }

        @Test("asks the objects that were set last, also where they were set twice, and holds neither")
        func settingTwice() async {
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            let feed = ABKContentCardsTableViewController()
            var first: Gate? = Gate()
            let last = Gate()
            for gate in [first, first, last, last] {
                harness.appboy.appboyUrlDelegate = gate
                feed.delegate = gate
                #expect(harness.appboy.appboyUrlDelegate === gate && feed.delegate === gate)
            }
            _ = harness.show(feed)
            feed.tableView(feed.tableView, didSelectRowAt: IndexPath(row: 0, section: 0))
            #expect(first?.asked.isEmpty == true && last.asked == ["feed", "app"])
            harness.appboy.appboyUrlDelegate = first
            feed.delegate = first
            first = nil
            #expect(harness.appboy.appboyUrlDelegate == nil && feed.delegate == nil)
            await harness.stop()
        }

        @Test("asks a delegate in whichever way the delegate spells the call")
        func spelling() async {
            let gate = Gate()
            let delegate = PlainGate()
            let card = await click(gate, delegate: delegate)
            #expect(delegate.asked.map(\.absoluteString) == ["https://shop.example/a"])
            #expect(gate.asked.isEmpty)
            #expect(card?.clicked == true)
        }
    }
}
