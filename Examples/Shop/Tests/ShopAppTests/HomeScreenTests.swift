import ContentCards
import Testing

@testable import ShopApp

@MainActor
@Suite("The home screen")
struct HomeScreenTests {
    private nonisolated static func tile(_ id: String, _ title: String, _ more: [String: String] = [:]) -> ContentCard {
        let base = ["class_type": "home_tile", "tile_id": id, "tile_title": title, "tile_image": "tent"]
        return RunningShop.card("card-\(id)", base.merging(more) { $1 })
    }

    private nonisolated static let cards = [
        RunningShop.card("ad", ["class_type": "ad_banner", "ad_image": "free-returns"]) { $0.title = "Free returns" },
        tile("shoes", "Trail shoes", ["tile_detail": "Grip.", "tile_price": "120"]),
        tile("enamel-mug", "Golden mug", ["tile_price": "9"]), tile("poster", "Poster"),
        RunningShop.card("hidden", ["class_type": "home_tile"]) { $0.kind = .control },
    ]

    @Test("shows what cards bring before the shop's own products, each product once")
    func order() async throws {
        let app = try await RunningShop(Self.cards)
        try await app.shows("tile-shoes")
        let tiles = app.page.identifiers("tile-")
        #expect(tiles.prefix(5) == ["tile-shoes", "tile-enamel-mug", "tile-poster", "tile-backpack", "tile-lantern"])
        #expect(Set(tiles).count == tiles.count && !app.page.has("Enamel mug"))
    }

    @Test("reads tiles and ads to people who don't see them, and none of a picture that says nothing")
    func labels() async throws {
        let silent = RunningShop.card("silent", ["class_type": "ad_banner", "ad_image": "free-returns"]) {
            $0.title = " "
        }
        let app = try await RunningShop([silent] + Self.cards)
        try await app.shows("tile-shoes")
        #expect(app.page["tile-shoes"]?.attributes["aria-label"] == "Trail shoes, Grip., €120.00")
        #expect(app.page["tile-enamel-mug"]?.attributes["aria-label"] == "Golden mug, €9.00")
        #expect(app.page["tile-shoes"]?.attributes["role"] == "button")
        #expect(app.page["For days outside"]?.attributes["role"] == "heading")
        #expect(app.page.labels(of: "ad") == ["", "Free returns"])
        #expect(app.page["ad"]?.attributes["role"] == nil && app.page["Free returns"]?.attributes["role"] == "img")
    }

    @Test("leads to the page of a product, counts that as a click on its card, and sells it there")
    func product() async throws {
        let app = try await RunningShop(Self.cards)
        try await app.shows("tile-shoes")
        app.page.tap("tile-shoes")
        #expect(app.client.feed.card(id: "card-shoes")?.isClicked == true)
        #expect(app.page.texts.contains("€120.00") && app.page["Trail shoes"]?.attributes["role"] != "button")
        app.page.tap("add-to-cart")
        app.page.tap("add-to-cart")
        #expect(app.page.has("Cart, 2") && app.shop.cart.value.total == Money(240))
        app.page.tap("Shop")
        let events = app.client.pendingEventCount
        app.page.tap("tile-backpack")
        #expect(app.client.pendingEventCount == events && app.page.has("add-to-cart"))
    }

    @Test("sells nothing that has no price, whatever a page reports")
    func unpriced() async throws {
        let app = try await RunningShop(Self.cards)
        try await app.shows("tile-poster")
        app.page.tap("tile-poster")
        #expect(app.page.has("Only in our shops"))
        #expect(app.page["add-to-cart"]?.attributes["disabled"] != nil)
        app.page.force("add-to-cart")
        #expect(app.shop.cart.value.isEmpty)
    }

    @Test(
        "follows the address of a tile where that leads into the app, and else shows the product",
        arguments: [
            ("shop://cart", "Your cart is empty"), ("shop://tiles/tent", "Up in four minutes."),
            ("shop://tiles/kettle", "add-to-cart"), ("https://shop.example", "add-to-cart"),
            ("javascript:alert(1)", "add-to-cart"), ("not an address", "add-to-cart"),
        ]
    )
    func links(_ address: String, _ shown: String) async throws {
        let app = try await RunningShop([Self.tile("kettle", "Kettle", ["tile_deeplink": address])])
        try await app.shows("tile-kettle")
        app.page.tap("tile-kettle")
        #expect(app.page.has(shown))
        #expect(app.client.feed.card(id: "card-kettle")?.isClicked == true)
    }

    @Test("keeps what it has without a network, ends turning, and shows what is new with one")
    func refresh() async throws {
        let app = try await RunningShop(Self.cards)
        try await app.shows("tile-shoes")
        let tiles = app.page.identifiers("tile-")
        app.answer(nil)
        try app.page.pull()
        #expect(app.page.values(of: "aria-busy") == ["true"])
        try await app.settle { app.page.values(of: "aria-busy") == ["false"] }
        #expect(app.page.identifiers("tile-") == tiles)
        app.answer([Self.tile("kettle", "Kettle")])
        try app.page.pull()
        try await app.shows("tile-kettle")
        try await app.settle { app.page.values(of: "aria-busy") == ["false"] }
        #expect(!app.page.has("tile-shoes") && app.page.has("Enamel mug") && !app.page.has("Free returns"))
    }

    @Test("counts what is seen once a presentation, slots of control groups included")
    func impressions() async throws {
        let app = try await RunningShop(Self.cards)
        try await app.shows("tile-shoes")
        let before = app.client.pendingEventCount
        app.look()
        app.look()
        try await app.settle { app.client.pendingEventCount >= before + 5 }
        #expect(app.client.pendingEventCount == before + 5)
        #expect(app.client.feed.card(id: "card-shoes")?.isViewed == true)
        app.page.tap("Cart")
        app.look()
        #expect(app.client.pendingEventCount == before + 5)
        app.page.tap("Shop")
        app.look()
        try await app.settle { app.client.pendingEventCount >= before + 10 }
        #expect(app.client.pendingEventCount == before + 10)
    }

    @Test("brings to the front what the settings ask for, at once")
    func priority() async throws {
        let app = try await RunningShop([Self.tile("shoes", "Trail shoes")])
        try await app.shows("tile-shoes")
        app.page.tap("Settings")
        try app.page.type(" travel ,trail", into: "home-priority")
        app.page.tap("Shop")
        let tiles = ["tile-backpack", "tile-tent", "tile-steel-flask", "tile-compass", "tile-shoes"]
        #expect(app.page.identifiers("tile-").prefix(5) == tiles[...])
        app.page.tap("Settings")
        try app.page.type("", into: "home-priority")
        app.page.tap("Shop")
        #expect(app.page.identifiers("tile-").first == "tile-shoes")
    }
}
