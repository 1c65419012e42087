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
    case thousand = "A thousand cards"
    case empty = "Empty"
    case controlOnly = "Control cards only"
    case failing = "Failing"
    case loading = "Loading"

    /// Makes a client of a server that answers as the scenario says.
    func makeClient() -> ContentCardsClient {
        let transport = ScriptedTransport()
        transport.answer("v1/sync") { [self] _ in
            switch self {
            case .failing: throw TransportError.unreachable("scripted")
            case .loading:
                try await Task.sleep(nanoseconds: 3_600_000_000_000)
                return .sync()
            default: return .sync(cards)
            }
        }
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
        case .thousand: (0..<1_000).map(ContentCard.numbered)
        case .controlOnly: [.control]
        case .empty, .failing, .loading: []
        }
    }
}
