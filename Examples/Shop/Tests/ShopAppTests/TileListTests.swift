import Foundation
import Testing

@testable import ShopApp

@Suite("The home page")
struct TileListTests {
    private func card(_ id: String, tile: String? = nil, isControl: Bool = false) -> Tile {
        Tile(
            id: tile ?? id,
            title: isControl ? "" : "Card \(id)",
            tags: ["new"],
            contentCardData: ContentCardData(
                contentCardId: id,
                contentCardClassType: .item(.tile),
                createdAt: 0,
                isDismissible: true,
                isControl: isControl
            )
        )
    }

    private let local = [
        Tile(id: "mug", title: "Enamel mug", tags: ["camp"]),
        Tile(id: "tent", title: "Tent", tags: ["camp", "travel"]),
        Tile(id: "beanie", title: "Beanie", tags: ["wear"]),
    ]

    @Test("shows cards in the order of the feed, then the shop's own tiles")
    func order() {
        let list = TileList(cards: [card("b"), card("a")], local: local)
        #expect(list.tiles.map(\.id) == ["b", "a", "mug", "tent", "beanie"])
    }

    @Test("never shows a product twice, and prefers the card's")
    func duplicates() {
        let list = TileList(cards: [card("x", tile: "tent"), card("y", tile: "tent")], local: local)
        #expect(list.tiles.map(\.title) == ["Card x", "Enamel mug", "Beanie"])
        #expect(TileList(cards: list.tiles.filter(\.isContentCard), local: local) == list)
    }

    @Test("brings what matches a word to the front, word by word, and leaves the rest in order")
    func priority() {
        let list = TileList(cards: [card("a")], local: local, priority: ["wear", "CAMP", "nothing", ""])
        #expect(list.tiles.map(\.id) == ["beanie", "mug", "tent", "a"])
        #expect(TileList(cards: [], local: local, priority: ["tent"]).tiles.map(\.id) == ["tent", "mug", "beanie"])
    }

    @Test("hides the slot of a control group, which is seen with the tile that stands in its place")
    func control() {
        let cards = [card("a"), card("hidden", isControl: true), card("b")]
        let list = TileList(cards: cards, local: local)
        #expect(list.tiles.map(\.id) == ["a", "b", "mug", "tent", "beanie"])
        func seen(_ indices: Int...) -> [String] {
            list.seen(at: indices).compactMap { $0.contentCardData?.contentCardId }
        }
        #expect(seen(0) == ["a"])
        #expect(seen(1) == ["b", "hidden"])
        #expect(seen(2, 3).isEmpty)
        let last = TileList(cards: [card("hidden", isControl: true)], local: [])
        #expect(last.tiles.isEmpty)
    }

    @Test("survives indices of a list that is gone")
    func staleIndices() {
        #expect(TileList(cards: [], local: local).seen(at: [7]).isEmpty)
    }

    @Test("brings its own tiles, with prices and pictures that exist")
    @MainActor
    func bundled() {
        let tiles = Tile.bundled()
        #expect(tiles.count == 8)
        #expect(Set(tiles.map(\.id)).count == 8)
        #expect(tiles.allSatisfy { $0.price != nil && Assets.picture($0.image) != nil && !$0.isContentCard })
    }

    @Test(
        "knows the places that addresses lead to",
        arguments: [
            ("shop://tiles/tent", Deeplink.tile("tent")), ("SHOP://products/tent", .tile("tent")),
            ("shop://tiles", .home),
            ("shop://cart", .cart), ("shop://messages", .messages), ("shop://membership", .settings),
            ("shop://sale/summer", .home),
        ]
    )
    func deeplinks(address: String, place: Deeplink) throws {
        #expect(Deeplink(try #require(URL(string: address))) == place)
    }

    @Test(
        "leaves other addresses alone",
        arguments: ["https://shop.example/cart", "shop:cart", "shop://nowhere", "cart"]
    )
    func foreign(address: String) throws {
        #expect(Deeplink(try #require(URL(string: address))) == nil)
    }
}
