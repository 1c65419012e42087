import ContentCards
import Foundation

extension ContentCard {
    /// Returns a card with an id and every other property as in a plain classic card, to be changed by the test:
    /// `.fixture("a") { $0.isPinned = true }`.
    public static func fixture(_ id: String = "card", _ change: (inout ContentCard) -> Void = { _ in }) -> ContentCard {
        var card = ContentCard(
            id: id,
            kind: .classic,
            title: "Title of \(id)",
            description: "Description of \(id)",
            urlString: "https://shop.example/\(id)",
            createdAt: Date(timeIntervalSince1970: 1_789_000_000)
        )
        change(&card)
        return card
    }

    /// Returns one card of each kind that is shown, and a control card.
    public static var fixtures: [ContentCard] {
        let named = [
            fixture("banner") { $0.kind = .banner },
            fixture("captioned") { $0.kind = .captionedImage },
            fixture("classic"),
            fixture("control") { $0.kind = .control },
        ]
        let others = Kind.known.filter { kind in !named.contains { $0.kind == kind } }
        return named + others.map { kind in fixture(kind.wireName) { $0.kind = kind } }
    }
}
