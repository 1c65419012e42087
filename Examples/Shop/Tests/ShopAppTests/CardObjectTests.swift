import Foundation
import Testing

@testable import ShopApp

/// What the app's own objects take from cards, whatever these say.
struct CardObjectTests {
    private func metaData(_ extras: [String: String], _ more: [ContentCardKey: Any] = [:]) -> [ContentCardKey: Any] {
        let base: [ContentCardKey: Any] = [.idString: "card", .created: 1.0, .dismissible: true, .extras: extras]
        return base.merging(more) { $1 }
    }

    private func tile(_ extras: [String: String], _ more: [ContentCardKey: Any] = [:]) -> Tile? {
        Tile(metaData: metaData(extras, more), classType: .item(.tile))
    }

    private func coupon(_ percentage: String?, isControl: Bool = false) -> Coupon? {
        var extras = ["coupon_code": "C"]
        extras["discount_percentage"] = percentage
        return Coupon(metaData: metaData(extras, [.isControl: isControl]), classType: .coupon)
    }

    @Test func `A look that can't be meant is as if it were left out`() {
        let wrong = ["border_width": "nan", "corner_radius": "inf", "background_color": "#+12345", "link_color": "red"]
        #expect(CardStyle(wrong) == CardStyle([:]))
        let right = CardStyle(["border_width": "99", "corner_radius": "-1", "background_color": "#12aBcd"])
        #expect(right.borderWidth == 10 && right.cornerRadius == 0 && right != CardStyle([:]))
    }

    @Test func `A look may name a font, and blanks name none`() {
        #expect(CardStyle(["font_style": " Avenir Next "]).fontName == "Avenir Next")
        #expect(CardStyle(["font_style": " \t"]) == CardStyle([:]) && CardStyle([:]).fontName == nil)
    }

    @Test func `A message whose text is a content block elsewhere is empty, as the app has no key to fetch one`() {
        let block = WebViewMessage(metaData: metaData(["content_block_id": "b1"]), classType: .message(.webView))
        #expect(block?.content == .nothing)
        let html = ["content_block_id": "b1", "html": "<p>"]
        #expect(WebViewMessage(metaData: metaData(html), classType: .message(.webView))?.content == .html("<p>"))
    }

    @Test func `A tile has what its pairs say, and else what its card says`() throws {
        let full = try #require(
            tile(
                [
                    "tile_id": "tent", "tile_title": "Tent", "tile_image": "tent", "tile_price": " 189.50 ",
                    "tile_tags": " camp, ,travel,,", "tile_deeplink": "shop://tiles/tent",
                ],
                [.image: "https://e.example/a.png", .urlString: "https://e.example", .cardDescription: "Story"]
            )
        )
        #expect(full.id == "tent" && full.image == "tent" && full.tags == ["camp", "travel"])
        #expect(full.price?.amount == Decimal(string: "189.5") && full.story == "Story")
        #expect(full.deeplink?.absoluteString == "shop://tiles/tent")
        let bare = try #require(
            tile(["tile_title": "Tent"], [.image: "https://e.example/a.png", .urlString: "https://e.example"])
        )
        #expect(bare.id == "card" && bare.price == nil && bare.tags.isEmpty && bare.detail.isEmpty)
        #expect(bare.image == "https://e.example/a.png" && bare.deeplink?.host == "e.example")
    }

    @Test(
        "A title of blanks is none, which only the slot of a control group may have",
        arguments: ["", " ", "\n\t", "\u{A0}"]
    )
    func blank(_ title: String) {
        #expect(tile(["tile_title": title]) == nil)
        #expect(tile(["tile_title": title], [.isControl: true])?.isControl == true)
    }

    @Test(
        "A price that is none leaves the tile, which can't be bought",
        arguments: ["", "free", "-1", "1,50", "1.5.0", "€5", "1e3", "NaN", "Infinity", "٣"]
    )
    func price(_ text: String) throws {
        let tile = try #require(self.tile(["tile_title": "T", "tile_price": text]))
        #expect(tile.price == nil)
        var cart = Cart()
        cart.add(tile)
        #expect(cart.isEmpty)
    }

    @Test(
        "A number of more digits than fit is none, and no price that can't be added up",
        arguments: [200, 400, 5_000]
    )
    func digits(_ count: Int) {
        #expect(Decimal(plain: String(repeating: "9", count: count)) == nil)
    }

    @Test func `A card without an ID, a time or a way to be dismissed makes no object`() {
        for key in [ContentCardKey.idString, .created, .dismissible] {
            var data = metaData(["tile_title": "T", "discount_percentage": "5", "ad_image": "a"])
            data[key] = nil
            #expect(Tile(metaData: data, classType: .item(.tile)) == nil)
            #expect(Coupon(metaData: data, classType: .coupon) == nil)
            #expect(Ad(metaData: data, classType: .ad) == nil)
            #expect(FullPageMessage(metaData: data, classType: .message(.fullPage)) == nil)
        }
    }

    @Test(
        "A coupon takes off from 0 to 100 per cent",
        arguments: [
            ("0", true), ("100", true), (" 12.5 ", true), ("100.01", false), ("-1", false), ("%", false), ("", false),
        ]
    )
    func percentages(_ text: String, _ isCoupon: Bool) {
        #expect((coupon(text) != nil) == isCoupon)
        // A control group has a slot whatever the pairs say, and it can't be applied.
        #expect(coupon(text, isControl: true)?.isControl == true)
    }

    @Test func `A coupon says its percentage as people read it`() {
        #expect(coupon("20")?.percentText == "20%" && coupon("12.5")?.percentText == "12.5%")
        #expect(coupon(nil) == nil && coupon(nil, isControl: true)?.percentage == 0)
    }

    @Test func `An ad has a picture of its pairs or its card, and a control group none`() {
        func ad(_ extras: [String: String], _ more: [ContentCardKey: Any] = [:]) -> Ad? {
            Ad(metaData: metaData(extras, more), classType: .ad)
        }
        #expect(ad(["ad_image": "a"], [.image: "b", .title: "T"])?.image == "a")
        #expect(ad([:], [.image: "b"])?.image == "b" && ad([:], [.image: " "]) == nil && ad([:]) == nil)
        #expect(ad([:], [.isControl: true])?.image == "")
    }

    @Test func `Of coupons of one moment the same is offered, however they come`() {
        func coupon(_ id: String, _ created: Double) -> Coupon {
            let data = ContentCardData(
                contentCardId: id,
                contentCardClassType: .coupon,
                createdAt: created,
                isDismissible: true,
                isControl: false
            )
            return Coupon(title: id, code: id, percentage: 5, contentCardData: data)
        }
        var cart = Cart()
        cart.add(Tile(id: "mug", title: "Mug", price: Money(10)))
        let coupons = [coupon("b", 1), coupon("a", 1), coupon("c", 1), coupon("old", 0)]
        for order in [coupons, coupons.reversed()] {
            var offer = CouponOffer()
            var offered: [String] = []
            while let next = offer.choose(from: order, for: cart) {
                offered.append(next.code)
                offer.finish(next)
            }
            #expect(offered == ["a", "b", "c", "old"])
        }
    }
}

/// Rules that hold after whatever a user does.
struct ShopRuleTests {
    /// A generator that gives the same numbers each time.
    private struct Numbers {
        var state: UInt64

        mutating func next(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }

    @Test("A cart adds up, whatever is put in and taken out", arguments: 1...20)
    func cart(_ seed: Int) {
        var numbers = Numbers(state: UInt64(seed))
        let tiles = ["0.01", "0.99", "14.50", "189", "3.33"].enumerated().map { index, price in
            Tile(id: "t\(index)", title: "T", price: Decimal(plain: price).map { Money($0) })
        }
        var cart = Cart()
        for _ in 0..<200 {
            let tile = tiles[numbers.next(below: tiles.count)]
            switch numbers.next(below: 5) {
            case 0, 1: cart.add(tile)
            case 2: cart.set(numbers.next(below: 4), of: tile.id)
            case 3: cart.set(-numbers.next(below: 3), of: tile.id)
            default: _ = cart.apply(Coupon(title: "", code: "C", percentage: Decimal(numbers.next(below: 101))))
            }
            #expect(
                cart.lines.allSatisfy { $0.quantity > 0 } && Set(cart.lines.map(\.tile.id)).count == cart.lines.count
            )
            #expect(cart.count == cart.lines.map(\.quantity).reduce(0, +))
            #expect(cart.subtotal.amount == cart.lines.map(\.total.amount).reduce(0, +))
            #expect(cart.total + cart.discount == cart.subtotal)
            #expect(cart.total.amount >= 0 && cart.total.amount <= cart.subtotal.amount)
            #expect(!cart.isEmpty || (cart.coupon == nil && cart.total == .zero))
        }
    }

    @Test("A slot of a control group is seen with one row, whatever is removed", arguments: 1...20)
    func messages(_ seed: Int) {
        var numbers = Numbers(state: UInt64(seed))
        let all = (0..<12).compactMap { index in
            FullPageMessage(
                metaData: [
                    .idString: "m\(index)", .created: 1.0, .dismissible: true, .isControl: numbers.next(below: 3) == 0,
                ],
                classType: .message(.fullPage)
            )
        }
        var list = MessageList(all)
        let slots = all.filter(\.isControl).map(\.id).sorted()
        while !list.messages.isEmpty {
            let seen = list.messages.indices.flatMap { list.seen(at: [$0]) }.map(\.id)
            #expect(Set(seen).count == seen.count && seen.filter(slots.contains).sorted() == slots)
            #expect(list.seen(at: [-1, list.messages.count]).isEmpty)
            let row = numbers.next(below: list.messages.count)
            let expected = list.messages[row].id
            let removed = list.remove(at: row)
            #expect(removed.id == expected)
        }
        #expect(list.seen(at: []).map(\.id).sorted() == slots && list.unreadCount == 0)
    }

    private func text(_ came: String, _ now: String, _ zone: String) throws -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let format = ISO8601DateFormatter()
        let (date, present) = (try #require(format.date(from: came)), try #require(format.date(from: now)))
        return MessageDate(calendar: calendar).text(date, now: present)
    }

    @Test(
        "The day of a message is that of the user's calendar: at midnight, at New Year and as clocks change",
        arguments: [
            ("2026-11-20T15:00:00Z", "2026-11-21T00:30:00Z", "Asia/Tokyo", "00:00"),
            ("2026-11-20T14:59:59Z", "2026-11-21T00:30:00Z", "Asia/Tokyo", "Yesterday"),
            ("2026-12-31T23:59:59Z", "2027-01-01T09:00:00Z", "UTC", "Yesterday"),
            ("2026-12-30T12:00:00Z", "2027-01-01T09:00:00Z", "UTC", "30/12/26"),
            ("2028-02-29T12:00:00Z", "2028-03-01T00:00:00Z", "UTC", "Yesterday"),
            ("2026-10-24T23:30:00Z", "2026-10-25T23:30:00Z", "Europe/Dublin", "00:30"),
            ("2026-10-24T22:59:00Z", "2026-10-25T23:30:00Z", "Europe/Dublin", "Yesterday"),
            ("2026-03-28T23:59:00Z", "2026-03-29T00:30:00Z", "Europe/Dublin", "Yesterday"),
        ]
    )
    func days(_ came: String, _ now: String, _ zone: String, _ expected: String) throws {
        #expect(try text(came, now, zone) == expected)
    }

    @Test func `Words of the home page are what stands between commas`() {
        var preferences = Preferences()
        #expect(preferences.priority.isEmpty)
        preferences.homePriority = " camp ,, travel gear,\t,wear,"
        #expect(preferences.priority == ["camp", "travel gear", "wear"])
        #expect(Preferences.Theme.allCases.map(\.title) == ["System", "Light", "Dark"])
        #expect(Set(DemoUser.all.map(\.id)).count == DemoUser.all.count)
    }
}
