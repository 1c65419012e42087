import BrowserUIKit
import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ShopApp

/// Runs the app on a page, over a client whose server is scripted and whose clock stands still.
@MainActor
final class RunningShop {
    let clock = ManualClock()
    let transport = ScriptedTransport()
    let client: ContentCardsClient
    let shop: Shop
    let page: ShopPage

    /// Starts the app with the cards of its first user, in their order.
    init(_ cards: [ContentCard] = []) async throws {
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.transport = transport
        configuration.clock = clock
        configuration.isLiveEnabled = false
        configuration.log = { _ in }
        let endpoint = try #require(URL(string: "https://cards.example"))
        client = ContentCardsClient(endpoint: endpoint, key: "pk_test", configuration: configuration)
        // Nothing waits for what moves.
        UIView.setAnimationsEnabled(false)
        let root = ShopApp.makeRootViewController(cards: CardManager(client: client, clock: clock))
        shop = try #require(root as? ShopController).shop
        page = ShopPage(root)
        answer(cards)
        try await settle { client.feed.lastSync != nil }
    }

    /// Has the server give other cards from now on, or nothing at all.
    func answer(_ cards: [ContentCard]?) {
        let ordered = (cards ?? []).enumerated().map { index, card in
            var card = card
            card.priority = 100 - index
            return card
        }
        let isUp = cards != nil
        transport.answer("v1/sync") { _ in
            guard isUp else { throw TransportError.unreachable("scripted") }
            return .sync(ordered)
        }
    }

    /// Lets tasks run until something holds; fails where it doesn't within a time that no busy machine needs.
    func settle(sourceLocation: SourceLocation = #_sourceLocation, _ holds: () -> Bool) async throws {
        let end = Date() + 60
        while true {
            page.draw()
            if holds() { return }
            try #require(Date() < end, sourceLocation: sourceLocation)
            await Task.yield()
        }
    }

    /// Lets the page show something.
    func shows(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await settle(sourceLocation: sourceLocation) { page.has(name) }
    }

    /// Looks at what is on screen for longer than an impression takes.
    func look() {
        page.measure()
        clock.advance(by: 0.2)
        page.measure()
    }

    nonisolated static func card(
        _ id: String,
        _ extras: [String: String] = [:],
        _ change: (inout ContentCard) -> Void = { _ in }
    ) -> ContentCard {
        .fixture(id) {
            $0.extras = extras
            $0.urlString = nil
            change(&$0)
        }
    }
}
