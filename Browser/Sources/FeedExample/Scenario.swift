import ContentCards
import ContentCardsTesting
import Foundation

/// Names a feed to look at.
enum Scenario: String, CaseIterable {
    case everyKind = "Every kind of card"
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

    var cards: [ContentCard] {
        switch self {
        case .everyKind: Self.everyKindCards
        case .hostile: Self.hostileCards
        case .thousand: (0..<1_000).map(Self.numbered)
        case .controlOnly: [.fixture("control") { $0.kind = .control }]
        case .empty, .failing, .loading: []
        }
    }

    private static var everyKindCards: [ContentCard] {
        [
            .fixture("pinned") {
                $0.title = "Your order is on its way"
                $0.description = "The parcel with your rain jacket arrives on Thursday between 9:00 and 12:00."
                $0.domain = "Track the parcel"
                $0.isPinned = true
                $0.isDismissible = false
            },
            .fixture("dunes") {
                $0.kind = .captionedImage
                $0.priority = 5
                $0.title = "Three quiet weeks in the dunes"
                $0.description =
                    "From May, twelve small houses by the sea can be booked by the week. Members choose first."
                $0.domain = "See the houses"
                $0.image = "https://images.example/dunes.png"
                $0.imageAlt = "Evening sun over dunes"
                $0.imageAspectRatio = 355.0 / 223.0
            },
            .fixture("leaf") {
                $0.priority = 4
                $0.title = "Basil, back in stock"
                $0.description = "You asked us to tell you. There are forty pots, and they went in two days last time."
                $0.domain = "shop.example"
                $0.image = "https://images.example/leaf.png"
                $0.isViewed = true
            },
            .fixture("sale") {
                $0.kind = .banner
                $0.priority = 3
                $0.image = "https://images.example/sale.png"
                $0.imageAspectRatio = 355.0 / 100.0
                $0.imageAlt = "Autumn sale"
            },
            .fixture("plain") {
                $0.priority = 2
                $0.title = "New opening hours"
                $0.description = "We are there for you until eight in the evening, on Saturdays until six."
                $0.isViewed = true
            },
            .fixture("broken") {
                $0.kind = .captionedImage
                $0.priority = 1
                $0.title = "An image that cannot be had"
                $0.description = "A tap on the arrow tries again."
                $0.image = "https://images.example/missing.png"
                $0.imageAspectRatio = 2.4
            },
            .fixture("control") { $0.kind = .control },
        ]
    }

    private static var hostileCards: [ContentCard] {
        [
            .fixture("script") {
                $0.title = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
                $0.description = "</div><style>*{display:none}</style> & \" ' ` ${alert(1)}"
                $0.urlString = "javascript:document.title='owned'"
                $0.priority = 4
            },
            .fixture("long") {
                $0.title = String(repeating: "Donaudampfschifffahrtsgesellschaft", count: 8)
                $0.description = String(repeating: "x", count: 400)
                $0.domain = String(repeating: "very-long-domain.", count: 9)
                $0.priority = 3
            },
            .fixture("emoji") {
                $0.title = "👩‍👩‍👧‍👦🏳️‍🌈 emoji, 日本語、العربية"
                $0.description = "\u{202E}reversed by a mark\u{202C} and after it\nthree\n\nlines"
                $0.priority = 2
            },
            .fixture("rtl") {
                $0.title = "مرحبا بالعالم"
                $0.description = "نص طويل بما يكفي ليمتد على أكثر من سطر واحد في البطاقة حتى نرى كيف يلتف."
                $0.priority = 1
            },
        ]
    }

    private static func numbered(_ number: Int) -> ContentCard {
        .fixture("card-\(number)") {
            $0.title = "Card \(number + 1)"
            $0.description = String(repeating: "Some text that makes rows differ in height. ", count: 1 + number % 5)
            $0.priority = 1_000 - number
            if number % 10 == 3 {
                $0.kind = .captionedImage
                $0.image = "https://images.example/sea.png"
                $0.imageAspectRatio = 1
            }
        }
    }
}
