import ContentCards
import Foundation
import Testing

@testable import ShopApp

@MainActor
@Suite("The cart on screen")
struct CartScreenTests {
    private nonisolated static func coupon(_ id: String, _ percentage: String, age: Double = 0) -> ContentCard {
        let extras = ["class_type": "coupon_code", "coupon_code": id, "discount_percentage": percentage]
        return RunningShop.card(id, extras) {
            $0.title = ""
            $0.createdAt -= age
        }
    }

    private nonisolated static let coupons = [coupon("TWENTY", "20"), coupon("TEN", "10", age: 60)]

    /// An app whose cart is shown, with a mug for €14.50 in it.
    private func open(_ cards: [ContentCard] = []) async throws -> RunningShop {
        let sentinel = RunningShop.card("kettle", ["class_type": "home_tile", "tile_title": "Kettle"])
        let app = try await RunningShop(cards + [sentinel])
        try await app.shows("Kettle")
        app.shop.add(try #require(app.shop.tile(id: "enamel-mug")))
        app.page.tap("Cart, 1")
        return app
    }

    @Test("is empty at first, and leads home, whatever page lies over that")
    func empty() async throws {
        let app = try await RunningShop()
        app.page.tap("tile-enamel-mug")
        app.page.tap("Cart")
        #expect(app.page.has("Your cart is empty") && !app.page.has("check-out"))
        app.page.tap("look-around")
        #expect(app.page.has("For days outside") && !app.page.has("add-to-cart"))
    }

    @Test("has as many pieces as the user wants, up to a bound, and no line of none")
    func quantities() async throws {
        let app = try await open()
        #expect(app.page["Number of Enamel mug"]?.attributes["role"] == "group")
        app.page.tap("Increment")
        #expect(app.page.texts.contains("2") && app.page.texts.contains("€29.00") && app.page.has("Cart, 2"))
        app.shop.cart.value.set(1_000, of: "enamel-mug")
        #expect(app.page.has("Cart, 99") && app.page["Increment"]?.attributes["disabled"] != nil)
        let events = app.client.pendingEventCount
        app.shop.add(try #require(app.shop.tile(id: "enamel-mug")))
        app.page.force("Increment")
        #expect(app.page.has("Cart, 99") && app.client.pendingEventCount == events)
        app.page.tap("Decrement")
        #expect(app.page.has("Cart, 98") && app.page.texts.contains("98"))
        app.shop.cart.value.set(1, of: "enamel-mug")
        app.page.tap("Decrement")
        #expect(app.page.has("Your cart is empty") && app.page.has("Cart"))
    }

    @Test("loses a line that is swiped away, and everything once the user has said so")
    func removal() async throws {
        let app = try await open()
        app.shop.add(try #require(app.shop.tile(id: "tent")))
        #expect(app.page.identifiers("line-") == ["line-enamel-mug", "line-tent"])
        app.page.tap("Delete")
        #expect(app.page.identifiers("line-") == ["line-tent"])
        app.page.tap("Empty")
        #expect(app.page.has("This takes everything out."))
        app.page.tap("Keep")
        #expect(app.page.identifiers("line-") == ["line-tent"] && !app.page.has("This takes everything out."))
        let events = app.client.pendingEventCount
        app.page.tap("Empty")
        app.page.tap("Empty", 1)
        #expect(app.page.has("Your cart is empty") && !app.page.has("Empty"))
        #expect(app.client.pendingEventCount == events + 1)
    }

    @Test("takes off what a coupon says once it was tapped, and uses it up at the checkout")
    func coupon() async throws {
        let app = try await open(Self.coupons)
        #expect(app.page["coupon"]?.attributes["aria-label"] == "20% off your order")
        #expect(app.page["coupon"]?.attributes["aria-description"] == "Takes it off your total")
        #expect(app.page.has("Tap to apply TWENTY") && !app.page.has("Subtotal"))
        app.page.tap("coupon")
        #expect(!app.page.has("coupon") && app.client.feed.card(id: "TWENTY")?.isClicked == true)
        for text in ["Subtotal", "TWENTY, 20% off", "\u{2212}€2.90", "€11.60"] { #expect(app.page.has(text)) }
        app.page.tap("check-out")
        #expect(app.page.has("You paid €11.60. It is on its way."))
        app.page.tap("OK")
        #expect(app.page.has("Your cart is empty") && !app.page.has("Thank you"))
        #expect(app.client.feed.card(id: "TWENTY") == nil)
        app.page.tap("Shop")
        app.shop.add(try #require(app.shop.tile(id: "tent")))
        app.page.tap("Cart, 1")
        #expect(app.page["coupon"]?.attributes["aria-label"] == "10% off your order")
    }

    @Test("offers no coupon while it is empty, which counts for nothing, and one as soon as there is something in it")
    func couponForEmptyCart() async throws {
        let app = try await RunningShop(Self.coupons)
        app.page.tap("Cart")
        let before = app.client.pendingEventCount
        app.clock.advance(by: 0.2)
        app.page.tap("Shop")
        app.page.tap("Cart")
        #expect(!app.page.has("coupon") && app.client.pendingEventCount == before)
        app.shop.add(try #require(app.shop.tile(id: "enamel-mug")))
        #expect(app.page["coupon"]?.attributes["aria-label"] == "20% off your order")
        let added = app.client.pendingEventCount
        app.clock.advance(by: 0.2)
        app.shop.cart.value.set(2, of: "enamel-mug")
        try await app.settle { app.client.pendingEventCount == added + 1 }
        #expect(app.client.feed.card(id: "TWENTY")?.isViewed == true)
    }

    @Test("shows and applies a coupon as its campaign says now, which may be edited while it is on screen")
    func editedCoupon() async throws {
        let app = try await open([Self.coupon("AUTUMN", "20")])
        #expect(app.page["coupon"]?.attributes["aria-label"] == "20% off your order")
        app.answer([Self.coupon("AUTUMN", "30")])
        try await app.client.refresh()
        try await app.settle { app.page["coupon"]?.attributes["aria-label"] == "30% off your order" }
        app.page.tap("coupon")
        #expect(app.shop.cart.value.total == Money(Decimal(10.15)) && !app.page.has("coupon"))
    }

    @Test("asks for coupons when it is opened and the last answer is over a minute old")
    func opening() async throws {
        let app = try await open()
        app.page.tap("Shop")
        app.answer(Self.coupons)
        app.clock.advance(by: 61)
        app.page.tap("Cart, 1")
        #expect(!app.page.has("coupon"))
        try await app.shows("coupon")
    }

    @Test("offers the next coupon once one was swiped away, and never the same again")
    func refusal() async throws {
        let app = try await open(Self.coupons)
        try app.page.swipe("coupon", by: -200)
        #expect(app.client.feed.card(id: "TWENTY") == nil)
        #expect(app.page["coupon"]?.attributes["aria-label"] == "10% off your order")
        app.page.tap("Shop")
        app.page.tap("Cart, 1")
        #expect(app.page["coupon"]?.attributes["aria-label"] == "10% off your order")
        // People who can't swipe have an action for it.
        app.page.tap("Dismiss")
        #expect(!app.page.has("coupon") && app.client.feed.card(id: "TEN") == nil)
        #expect(app.shop.cart.value.total == Money(Decimal(14.5)))
    }

    @Test(
        "keeps a coupon whose swipe was let go, went the other way or was taken back, and applies it on a tap",
        arguments: [(-40, "ended"), (-89, "ended"), (300, "ended"), (-300, "cancelled")]
    )
    func smallSwipe(_ way: Int, _ end: String) async throws {
        let app = try await open(Self.coupons)
        try app.page.swipe("coupon", by: way, end: end)
        #expect(app.page["coupon"]?.attributes["aria-label"] == "20% off your order")
        #expect(app.shop.cart.value.coupon == nil)
        app.page.tap("coupon")
        #expect(app.shop.cart.value.coupon?.code == "TWENTY")
    }

    @Test("shows nothing of a control group's slot, and counts it as often as it is presented")
    func control() async throws {
        let slot = RunningShop.card("slot", ["class_type": "coupon_code"]) { $0.kind = .control }
        let older = Self.coupons.map { card in
            var card = card
            card.createdAt -= 3_600
            return card
        }
        let app = try await open([slot] + older)
        #expect(!app.page.has("coupon") && app.page.has("check-out"))
        let before = app.client.pendingEventCount
        app.clock.advance(by: 0.2)
        app.shop.cart.value.set(2, of: "enamel-mug")
        try await app.settle { app.client.pendingEventCount == before + 1 }
        app.page.tap("Shop")
        app.page.tap("Cart, 2")
        app.clock.advance(by: 0.2)
        app.shop.cart.value.set(3, of: "enamel-mug")
        try await app.settle { app.client.pendingEventCount == before + 2 }
        #expect(!app.page.has("coupon") && app.client.feed.card(id: "slot") != nil)
    }

    @Test("is checked out at the price that the coupon leaves, each product by itself")
    func purchases() async throws {
        let app = try await open(Self.coupons)
        app.shop.add(try #require(app.shop.tile(id: "tent")))
        app.page.tap("coupon")
        let events = app.client.pendingEventCount
        app.page.tap("check-out")
        // Two purchases, and the end of the coupon.
        #expect(app.client.pendingEventCount == events + 3)
        #expect(app.page.has("You paid €210.80. It is on its way."))
    }
}
