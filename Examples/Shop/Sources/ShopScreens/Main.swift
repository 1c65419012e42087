#if !canImport(UIKit)
import BrowserHost
import ContentCards
import ContentCardsTesting
import Foundation
import ShopApp

/// Serves the Shop with cards that are always the same, at a time that never passes: `shop-screens [--port N]`.
///
/// It is what `scripts/screenshots` looks at.
@main
struct ScreensHost {
    @MainActor
    static func main() async throws {
        setenv("TZ", "UTC", 1)
        let arguments = CommandLine.arguments
        let port = arguments.firstIndex(of: "--port").flatMap { Int(arguments[$0 + 1]) } ?? 8_090
        try await BrowserHost(title: "Shop", port: port) {
            ShopApp.makeRootViewController(cards: CardManager(client: makeClient(), clock: Cards.clock))
        }.run()
    }

    private static func makeClient() -> ContentCardsClient {
        let transport = ScriptedTransport()
        transport.answer("v1/sync") { _ in .sync(Cards.all) }
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.transport = transport
        configuration.clock = Cards.clock
        configuration.log = { _ in }
        let nowhere = URL(fileURLWithPath: "/")
        return ContentCardsClient(
            endpoint: URL(string: "https://cards.example") ?? nowhere,
            key: "pk_screens",
            configuration: configuration
        )
    }
}

/// The cards that the screens show.
private enum Cards {
    static let now = Date(timeIntervalSince1970: 1_790_000_000)
    static let clock = ManualClock(now: now)

    static let all: [ContentCard] = cards.enumerated().map { index, card in
        var card = card
        card.priority = 100 - index
        return card
    }

    private static let cards: [ContentCard] = [
        card("returns", ["class_type": "ad_banner", "ad_image": "free-returns"]) {
            $0.title = "Free returns all month"
        },
        card(
            "shoes",
            [
                "class_type": "home_tile", "tile_id": "running-shoes", "tile_title": "Trail shoes",
                "tile_detail": "Grip on wet stone.", "tile_image": "running-shoes", "tile_price": "120",
                "tile_tags": "wear",
            ]
        ),
        card(
            "jacket",
            [
                "class_type": "home_tile", "tile_id": "rain-jacket", "tile_title": "Rain jacket",
                "tile_detail": "Dry, and not damp.", "tile_image": "rain-jacket", "tile_price": "89.00",
                "tile_tags": "wear",
            ]
        ),
        card("hidden", ["class_type": "home_tile"]) { $0.kind = .control },
        card(
            "wool",
            ["class_type": "message_full_page", "message_header": "Full Page", "message_image": "wool-blanket"]
        ) {
            $0.title = "How we make our wool"
            $0.description = "It begins on a farm an hour from here, where the sheep are outside all year."
        },
        card(
            "hours",
            [
                "class_type": "message_webview", "message_header": "HTML", "message_title": "Opening hours",
                "message_image": "compass",
                "html": "<h1>Opening hours</h1><p>On holidays we open at <b>10:00</b> and close at <b>16:00</b>.</p>",
            ]
        ) {
            $0.description = "All shops and what they do on the coming holidays."
            $0.createdAt = now - 3 * 86_400
            $0.isClicked = true
        },
        card("coupon", ["class_type": "coupon_code", "coupon_code": "AUTUMN20", "discount_percentage": "20"]) {
            $0.title = "20% off your order"
        },
        card("welcome", [:]) {
            $0.title = "Welcome to the shop"
            $0.description = "Members get free delivery this month. Your card is in your profile."
            $0.domain = "Open your profile"
            $0.urlString = "shop://membership"
            $0.isPinned = true
        },
        card(
            "sale",
            ["background_color": "#1C6B59", "label_color": "#FFFFFF", "link_color": "#F6C66A", "corner_radius": "28"]
        ) {
            $0.title = "Everything for the night"
            $0.description = "Lanterns, tents and blankets: this week we pack them for nothing."
            $0.domain = "See them"
            $0.urlString = "shop://sale/night"
        },
        card("hours2", [:]) {
            $0.title = "New opening hours"
            $0.description = "We are there for you until eight in the evening, on Saturdays until six."
            $0.isViewed = true
        },
    ]

    private static func card(
        _ id: String,
        _ extras: [String: String],
        _ change: (inout ContentCard) -> Void = { _ in }
    ) -> ContentCard {
        .fixture(id) {
            $0.extras = extras
            $0.urlString = nil
            $0.createdAt = now - 3_600
            change(&$0)
        }
    }
}
#endif
