import BrowserUIKit
import ContentCards
import ContentCardsTesting
import ContentCardsUI
import Foundation

/// Answers as a server with a few cards does.
enum ScriptedServer {
    static func client() -> ContentCardsClient {
        let transport = ScriptedTransport()
        transport.answer("v1/sync") { _ in .sync(cards) }
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.transport = transport
        configuration.log = { _ in }
        let endpoint = URL(string: "https://cards.example") ?? URL(fileURLWithPath: "/")
        return ContentCardsClient(endpoint: endpoint, key: "pk_example", configuration: configuration)
    }

    private static let cards: [ContentCard] = [
        .fixture("classic") {
            $0.priority = 6
            $0.title = "We are open on Sunday"
            $0.description = "From ten to four, with coffee."
            $0.domain = "Plan your visit"
            $0.extras = ["from": "shop", "screen": "Come by on Sunday: ten to four, with coffee and the whole team."]
        },
        .fixture("themed") {
            $0.kind = .captionedImage
            $0.priority = 5
            $0.title = "Night market"
            $0.description = "Forty stands, lanterns and music along the river."
            $0.domain = "The programme"
            $0.image = "https://images.example/dunes.png"
            $0.imageAspectRatio = 355.0 / 160.0
            $0.extras = [
                "background_color": "#102A43", "border_color": "#F0B429", "border_width": "2", "corner_radius": "18",
                "label_color": "#F0F4F8", "link_color": "#F7C948", "unread_color": "#F0B429",
            ]
        },
        .fixture("banner") {
            $0.kind = .banner
            $0.priority = 4
            $0.image = "https://images.example/sea.png"
            $0.imageAspectRatio = 355.0 / 200.0
            $0.extras = ["caption": "A week by the sea"]
        },
        .fixture("reversed") {
            $0.priority = 3
            $0.title = "Basil is back"
            $0.image = "https://images.example/leaf.png"
        },
        .fixture("plain") {
            $0.kind = .captionedImage
            $0.priority = 2
            $0.title = "Nothing said about looks"
            $0.description = "So this card has the looks that the app gives by default."
            $0.image = "https://images.example/sale.png"
            $0.imageAspectRatio = 3.55
            $0.isViewed = true
        },
        .fixture("elsewhere") {
            $0.priority = 1
            $0.title = "For the checkout alone"
            $0.extras = ["feed": "checkout"]
        },
    ]
}

/// Gives the images that the example brings.
struct DrawnImages: ImageFetching {
    private struct Missing: Error {}

    func data(from url: URL, isFresh: Bool) async throws -> Data {
        guard let data = Self.data(url) else { throw Missing() }
        return data
    }

    static func image(_ url: URL) -> UIImage? { data(url).flatMap(UIImage.init(data:)) }

    private static func data(_ url: URL) -> Data? {
        let name = url.deletingPathExtension().lastPathComponent
        let file = Bundle.module.url(forResource: name, withExtension: "png", subdirectory: "Images")
        return file.flatMap { try? Data(contentsOf: $0) }
    }
}
