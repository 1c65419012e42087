import Foundation
import Testing

@testable import ShopApp

@Suite("The cart")
struct CartTests {
    private func tile(_ id: String, _ price: String?) -> Tile {
        Tile(id: id, title: id, price: price.flatMap { Decimal(plain: $0) }.map { Money($0) })
    }

    private func cart(_ prices: String...) -> Cart {
        var cart = Cart()
        for (index, price) in prices.enumerated() { cart.add(tile("tile-\(index)", price)) }
        return cart
    }

    private func coupon(_ percentage: Decimal) -> Coupon { Coupon(title: "", code: "C", percentage: percentage) }

    @Test("counts pieces of the same product in one line, and leaves out what cannot be bought")
    func lines() {
        var cart = Cart()
        cart.add(tile("mug", "14.50"))
        cart.add(tile("mug", "14.50"))
        cart.add(tile("poster", nil))
        #expect(cart.lines.map(\.quantity) == [2])
        #expect(cart.count == 2)
        #expect(cart.subtotal == Money(29))
        cart.set(5, of: "mug")
        #expect(cart.total == Money(Decimal(string: "72.5")!))
        cart.set(0, of: "mug")
        #expect(cart.isEmpty)
    }

    @Test(
        "takes the percentage off the total, to the cent",
        arguments: [
            ("0", "278", "0", "278"), ("20", "278", "55.6", "222.4"), ("50", "278", "139", "139"),
            ("100", "278", "278", "0"), ("33", "0.99", "0.33", "0.66"), ("12.5", "19.99", "2.50", "17.49"),
        ]
    )
    func discount(percentage: String, subtotal: String, discount: String, total: String) throws {
        var cart = cart(subtotal)
        let percentage = try #require(Decimal(plain: percentage))
        let isApplied = cart.apply(coupon(percentage))
        #expect(isApplied)
        #expect(cart.discount.amount == Decimal(plain: discount))
        #expect(cart.total.amount == Decimal(plain: total))
        #expect(cart.agreedPrice(of: cart.lines[0]) == cart.total)
    }

    @Test("takes one coupon, once, and none while it is empty")
    func oneCoupon() {
        var empty = Cart()
        var cart = cart("100")
        let answers = [empty.apply(coupon(20)), cart.apply(coupon(20)), cart.apply(coupon(50))]
        #expect(answers == [false, true, false])
        #expect(cart.total == Money(80))
        cart.set(0, of: "tile-0")
        #expect(cart.coupon == nil)
    }

    @Test("rounds halves up, and writes amounts as people do")
    func money() {
        #expect(Money(Decimal(string: "2.345")!).amount == Decimal(string: "2.35"))
        #expect(Money(Decimal(string: "2.3449")!).amount == Decimal(string: "2.34"))
        #expect(Money(1_234).formatted(Locale(identifier: "en_IE")) == "€1,234.00")
        #expect(Money(Decimal(string: "14.5")!).formatted(Locale(identifier: "de_DE")) == "14,50\u{A0}€")
    }

    @Test(
        "reads plain numbers, and nothing that only begins like one",
        arguments: ["abc", "", "12 euros", "1,5", "1.", ".5", "-3", "1e3", "0x10", "１２"]
    )
    func garbage(text: String) {
        #expect(Decimal(plain: text) == nil)
    }

    @Test("reads plain numbers")
    func numbers() {
        #expect(Decimal(plain: "20") == 20)
        #expect(Decimal(plain: " 12.50 ") == Decimal(string: "12.5"))
    }
}

@Suite("The offer of a coupon")
struct CouponOfferTests {
    private func coupon(_ id: String, at created: Double, isControl: Bool = false) -> Coupon {
        Coupon(
            title: id,
            code: id,
            percentage: 20,
            contentCardData: ContentCardData(
                contentCardId: id,
                contentCardClassType: .coupon,
                createdAt: created,
                isDismissible: true,
                isControl: isControl
            )
        )
    }

    private var cart: Cart {
        var cart = Cart()
        cart.add(Tile(id: "mug", title: "Mug", price: Money(10)))
        return cart
    }

    @Test("is the newest, then the next newest once it was refused")
    func newest() {
        let coupons = [coupon("old", at: 1), coupon("new", at: 3), coupon("middle", at: 2)]
        var offer = CouponOffer()
        #expect(offer.choose(from: coupons, for: cart)?.code == "new")
        offer.finish(coupons[1])
        #expect(offer.choose(from: coupons, for: cart)?.code == "middle")
    }

    @Test("is none for an empty cart, and for one that has a coupon")
    func notNow() {
        let coupons = [coupon("a", at: 1), coupon("b", at: 2)]
        var applied = cart
        _ = applied.apply(coupons[0])
        #expect(CouponOffer().choose(from: coupons, for: Cart()) == nil)
        #expect(CouponOffer().choose(from: coupons, for: applied) == nil)
    }

    @Test("can be the slot of a control group, which cannot be applied")
    func control() throws {
        let slot = coupon("control", at: 9, isControl: true)
        let chosen = try #require(CouponOffer().choose(from: [coupon("a", at: 1), slot], for: cart))
        #expect(chosen.isControl)
        var cart = cart
        let isApplied = cart.apply(chosen)
        #expect(!isApplied)
    }
}
