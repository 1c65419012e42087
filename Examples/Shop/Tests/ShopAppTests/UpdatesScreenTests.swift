import ContentCards
import ContentCardsUI
import Foundation
import Testing

@testable import ShopApp

@MainActor
@Suite("The updates")
struct UpdatesScreenTests {
    private nonisolated static let cards = [
        RunningShop.card("cart") { $0.urlString = "shop://checkout" },
        RunningShop.card("product") { $0.urlString = "SHOP://tiles/tent" },
        RunningShop.card("unknown") { $0.urlString = "shop://tiles/none" },
        RunningShop.card("members") { $0.urlString = "shop://membership" },
        RunningShop.card("styled", ["background_color": "#123456", "corner_radius": "33"]),
        RunningShop.card("tile", ["class_type": "home_tile", "tile_title": "Kettle"]),
        RunningShop.card("coupon", ["class_type": "coupon_code", "discount_percentage": "5"]),
    ]

    private func open() async throws -> RunningShop {
        let app = try await RunningShop(Self.cards)
        try await app.shows("Kettle")
        app.page.tap("Updates")
        try await app.shows("Title of cart")
        return app
    }

    private func titles(_ app: RunningShop) -> [String] { app.page.texts.filter { $0.hasPrefix("Title of ") } }

    @Test("show the cards that have no other place, in either style")
    func cards() async throws {
        let app = try await open()
        app.page.measure()
        let titles = ["cart", "product", "unknown", "members", "styled"].map { "Title of \($0)" }
        #expect(self.titles(app) == titles)
        app.page.tap("Default")
        app.page.measure()
        try await app.settle { self.titles(app) == titles }
        #expect(app.page["Default"]?.attributes["aria-checked"] == "true")
        app.page.tap("Shop style")
        app.page.measure()
        try await app.settle { self.titles(app) == titles }
    }

    @Test(
        "lead to the places of the app that cards name, and home from one that it doesn't know",
        arguments: [
            ("cart", "Your cart is empty"), ("product", "Up in four minutes."), ("unknown", "For days outside"),
            ("members", "user-anna"),
        ]
    )
    func links(_ id: String, _ shown: String) async throws {
        let app = try await open()
        app.page.measure()
        app.page.tap("Title of \(id)")
        try await app.shows(shown)
        #expect(app.client.feed.card(id: id)?.isClicked == true)
        app.page.tap("Updates")
        try await app.shows("Title of cart")
    }

    @Test("open a place even over pages that lie on it, and a product in place of another")
    func stacks() async throws {
        let app = try await RunningShop()
        app.shop.open(.tile("tent"))
        #expect(app.page.has("Up in four minutes."))
        app.shop.open(.tile("compass"))
        #expect(app.page.has("Needs no battery.") && app.page.has("add-to-cart"))
        app.page.tap("Shop")
        #expect(app.page.has("For days outside"))
        app.shop.open(.tile("tent"))
        app.shop.open(.cart)
        #expect(app.page.has("Your cart is empty"))
        app.shop.open(.tile("none"))
        #expect(app.page.has("For days outside") && !app.page.has("add-to-cart"))
        app.shop.open(.tile("tent"))
        app.shop.open(.home)
        #expect(app.page.has("For days outside"))
    }

    @Test("have the look that a card asks for, and that of the feed in all else")
    func style() {
        var feed = CardAttributes()
        feed.cornerRadius = 16
        feed.borderWidth = 2
        let plain = CardStyle([:]).applied(to: feed)
        #expect(plain.cornerRadius == 16 && plain.borderWidth == 2 && plain.titleColor == feed.titleColor)
        let extras = ["corner_radius": "99", "border_width": "0.5", "label_color": "#0000ff", "link_color": "blue"]
        let own = CardStyle(extras).applied(to: feed)
        #expect(own.cornerRadius == 50 && own.borderWidth == 0.5)
        #expect(own.titleColor != feed.titleColor && own.titleColor == own.descriptionColor)
        #expect(own.linkColor == feed.linkColor && own.backgroundColor == feed.backgroundColor)
    }
}
