import ContentCards
import ContentCardsTesting
import Foundation

/// Names a feed to look at.
enum Scenario: String, CaseIterable {
    case everyKind = "Every kind of card"
    case banner = "Banner"
    case captionedImage = "Captioned image"
    case classic = "Classic"
    case classicImage = "Classic with image"
    case unreadAndPinned = "Unread and pinned"
    case missingImage = "An image that cannot be had"
    case rightToLeft = "Right to left"
    case hostile = "Hostile text"
    case page = "A card with a page"
    case thousand = "A thousand cards"
    case empty = "Empty"
    case controlOnly = "Control cards only"
    case failing = "Failing"
    case loading = "Loading"

    /// The address that the card with a page opens.
    @MainActor static var pageAddress = "https://example.org/"
    /// Whether what is logged is printed: `event click card-1`.
    @MainActor static var printsEvents = false

    /// Makes a client of a server that answers as the scenario says.
    @MainActor
    func makeClient() -> ContentCardsClient {
        let transport = ScriptedTransport()
        let cards = cards
        transport.answer("v1/sync") { [self] _ in
            switch self {
            case .failing: throw TransportError.unreachable("scripted")
            case .loading:
                try await Task.sleep(nanoseconds: 3_600_000_000_000)
                return .sync()
            default: return .sync(cards)
            }
        }
        if Self.printsEvents { transport.answer(Self.printEvents) }
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.transport = transport
        configuration.log = { _ in }
        let endpoint = URL(fileURLWithPath: "/")
        return ContentCardsClient(
            endpoint: URL(string: "https://cards.example") ?? endpoint,
            key: "pk_example",
            configuration: configuration
        )
    }

    /// Prints a sync, and the events in a request, and leaves the answer to others.
    @Sendable
    private static func printEvents(_ request: TransportRequest) -> TransportResponse? {
        if request.url.path.hasSuffix("v1/sync") { print("sync") }
        let body = request.body.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
        for event in body?["events"] as? [[String: Any]] ?? [] {
            print("event \(event["type"] ?? "") \(event["card_id"] ?? "")")
        }
        fflush(nil)
        return nil
    }

    @MainActor
    private var cards: [ContentCard] {
        switch self {
        case .everyKind: [.order, .dunes, .basil, .sale, .hours, .control]
        case .banner: [.sale, .sea]
        case .captionedImage: [.dunes]
        case .classic: [.hours, .order]
        case .classicImage: [.basil, .shortBasil]
        case .unreadAndPinned: [.order, .unread, .read]
        case .missingImage: [.broken, .brokenClassic]
        case .rightToLeft: ContentCard.arabic
        case .hostile: ContentCard.hostile
        case .page: [.page(Self.pageAddress), .unreachable]
        case .thousand: (0..<1_000).map(ContentCard.numbered)
        case .controlOnly: [.control]
        case .empty, .failing, .loading: []
        }
    }
}
