import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ShopApp

@MainActor
@Suite("The card manager")
struct CardManagerTests {
    private let clock = ManualClock()

    private func client(_ transport: ScriptedTransport) throws -> ContentCardsClient {
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.transport = transport
        configuration.clock = clock
        configuration.isLiveEnabled = false
        configuration.log = { _ in }
        let endpoint = try #require(URL(string: "https://cards.example"))
        return ContentCardsClient(endpoint: endpoint, key: "pk_test", configuration: configuration)
    }

    private func manager(_ cards: [ContentCard]) async throws -> CardManager {
        let transport = ScriptedTransport()
        transport.answer("v1/sync") { _ in .sync(cards) }
        let client = try client(transport)
        await client.identify("u")
        for await feed in client.updates where feed.lastSync != nil { break }
        return CardManager(client: client, clock: clock)
    }

    private nonisolated static func card(_ id: String, _ extras: [String: String], priority: Int = 0) -> ContentCard {
        .fixture(id) {
            $0.extras = extras
            $0.priority = priority
        }
    }

    private nonisolated static let cards = [
        card(
            "tile",
            ["class_type": "HOME_TILE", "tile_title": "Kettle", "tile_price": "12", "tile_tags": "a,b"],
            priority: 9
        ),
        card("html", ["class_type": "message_webview", "html": "<p>", "message_title": "Web"], priority: 8),
        card("page", ["class_type": "message_full_page", "message_header": "Page"], priority: 7),
        card("coupon", ["class_type": "coupon_code", "discount_percentage": "20"], priority: 6),
        card("ad", ["class_type": "ad_banner", "ad_image": "free-returns"], priority: 4),
        card("plain", [:], priority: 5),
    ]

    /// Returns the cards that the manager gives now for some class types, by their IDs.
    private func ids(_ manager: CardManager, _ classTypes: ContentCardClassType...) -> [String] {
        var objects: [any ContentCardable] = []
        let owner = Owner()
        manager.addObserver(owner, for: classTypes) { objects = $0 }
        return objects.compactMap { $0.contentCardData?.contentCardId }
    }

    @MainActor
    private final class Owner {
        var isInForeground = true
    }

    @Test("gives the objects of the class types that were asked for, in the order of the feed, from what is there")
    func converts() async throws {
        let manager = try await manager(Self.cards)
        #expect(ids(manager, .item(.tile)) == ["tile"])
        #expect(ids(manager, .message(.fullPage), .message(.webView)) == ["html", "page"])
        #expect(ids(manager, .coupon, .item(.tile)) == ["tile", "coupon"])
        #expect(ids(manager, .ad) == ["ad"])
        #expect(ids(manager, .item(.group)).isEmpty)
    }

    @Test("reads what a card says of itself")
    func reads() async throws {
        let manager = try await manager(Self.cards)
        var tiles: [Tile] = []
        let owner = Owner()
        manager.addObserver(owner, for: [.item(.tile)]) { tiles = $0.compactMap { $0 as? Tile } }
        let tile = try #require(tiles.first)
        #expect(tile.title == "Kettle" && tile.price == Money(12) && tile.tags == ["a", "b"])
        #expect(tile.id == "tile" && tile.isContentCard && !tile.isControl)
    }

    @Test("leaves out what makes no object, and keeps control groups")
    func leavesOut() async throws {
        let manager = try await manager([
            Self.card("no title", ["class_type": "home_tile"], priority: 3),
            Self.card("no price", ["class_type": "home_tile", "tile_title": "x", "tile_price": "abc"], priority: 2),
            .fixture("control") {
                $0.kind = .control
                $0.extras = ["class_type": "home_tile"]
                $0.priority = 1
            },
            Self.card("no picture", ["class_type": "ad_banner"]),
            Self.card("abc", ["class_type": "coupon_code", "discount_percentage": "abc"]),
            Self.card("101", ["class_type": "coupon_code", "discount_percentage": "101"]),
            Self.card("0", ["class_type": "coupon_code", "discount_percentage": "0"]),
        ])
        #expect(ids(manager, .item(.tile)) == ["no price", "control"])
        #expect(ids(manager, .coupon) == ["0"])
        #expect(ids(manager, .ad).isEmpty)
    }

    @Test("tells observers of each change until they are gone, and keeps their objects when a refresh fails")
    func observes() async throws {
        let transport = ScriptedTransport()
        transport.answer("v1/sync") { _ in .sync(Self.cards) }
        let client = try client(transport)
        let manager = CardManager(client: client, clock: clock)
        let (updates, continuation) = AsyncStream.makeStream(of: [String].self)
        var owner: Owner? = Owner()
        manager.addObserver(try #require(owner), for: [.coupon]) { objects in
            continuation.yield(objects.compactMap { $0.contentCardData?.contentCardId })
        }
        await client.identify("u")
        for await ids in updates where ids == ["coupon"] { break }
        transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
        await manager.requestRefresh()
        #expect(ids(manager, .coupon) == ["coupon"])
        owner = nil
        client.logDismissal(cardID: "coupon")
        for await feed in client.updates where feed.card(id: "coupon") == nil { break }
        #expect(ids(manager, .coupon).isEmpty)
    }

    @Test("counts nothing as seen in the background, and what is there once the app is back")
    func background() async throws {
        let manager = try await manager(Self.cards)
        var tiles: [any ContentCardable] = []
        let owner = Owner()
        manager.addObserver(owner, for: [.item(.tile)]) { tiles = $0 }
        let app = Owner()
        let impressions = CardImpressions(manager) { app.isInForeground }
        app.isInForeground = false
        impressions.begin()
        for _ in 0..<3 {
            impressions.update(visible: tiles)
            clock.advance(by: 0.2)
        }
        #expect(manager.client.pendingEventCount == 0)
        app.isInForeground = true
        NotificationCenter.default.post(name: Notification.Name("UISceneDidActivateNotification"), object: nil)
        clock.advance(by: 0.2)
        impressions.update(visible: tiles)
        #expect(manager.client.pendingEventCount == 1)
    }

    @Test("has objects log to their own card, and impressions once a presentation")
    func logs() async throws {
        let manager = try await manager(Self.cards)
        var tiles: [any ContentCardable] = []
        let owner = Owner()
        manager.addObserver(owner, for: [.item(.tile)]) { tiles = $0 }
        let impressions = CardImpressions(manager)
        impressions.update(visible: tiles)
        impressions.begin()
        #expect(manager.client.pendingEventCount == 0)
        for _ in 0..<2 {
            clock.advance(by: 0.2)
            impressions.update(visible: tiles)
        }
        #expect(manager.client.pendingEventCount == 1)
        impressions.begin()
        clock.advance(by: 0.2)
        impressions.update(visible: tiles)
        #expect(manager.client.pendingEventCount == 1)
        impressions.end()
        impressions.begin()
        clock.advance(by: 0.2)
        impressions.update(visible: tiles)
        #expect(manager.client.pendingEventCount == 2)
        tiles[0].logContentCardClicked()
        #expect(manager.client.feed.card(id: "tile")?.isClicked == true)
        Tile(id: "own", title: "Own").logContentCardClicked()
        #expect(manager.client.pendingEventCount == 3)
    }

    @Test("logs the purchase at the price with the coupon, and uses the coupon up")
    func buys() async throws {
        let manager = try await manager(Self.cards)
        let shop = Shop(cards: manager, tiles: [Tile(id: "mug", title: "Mug", price: Money(10))])
        var coupons: [Coupon] = []
        manager.addObserver(shop, for: [.coupon]) { coupons = $0.compactMap { $0 as? Coupon } }
        shop.add(try #require(shop.tile(id: "mug")))
        shop.add(try #require(shop.tile(id: "tile")))
        let coupon = try #require(coupons.first)
        shop.apply(coupon)
        shop.apply(coupon)
        #expect(shop.cart.value.total == Money(Decimal(string: "17.6")!))
        #expect(manager.client.feed.card(id: "coupon")?.isClicked == true)
        #expect(shop.checkOut() == Money(Decimal(string: "17.6")!))
        #expect(shop.cart.value.isEmpty)
        #expect(manager.client.feed.card(id: "coupon") == nil)
        // Two products and two purchases, the coupon's event, click and dismissal.
        #expect(manager.client.pendingEventCount == 7)
    }

    @Test("gives another user another cart, and other cards")
    func switchesUsers() async throws {
        let manager = try await manager(Self.cards)
        let shop = Shop(cards: manager, tiles: [Tile(id: "mug", title: "Mug", price: Money(10))])
        shop.add(try #require(shop.tile(id: "mug")))
        await shop.signIn("other")
        #expect(shop.cart.value.isEmpty)
        #expect(shop.preferences.value.user == "other")
        #expect(manager.client.userID == "other")
    }
}
