#if canImport(UIKit) && canImport(ObjectiveC)
import ContentCards
import ContentCardsUI
import SwiftUI
import UIKit

/// Names a screen of which a picture is taken, and makes its controller.
@MainActor
public struct Screen {
    /// The name of the picture's file.
    public let name: String
    /// Whether the screen is dark.
    public var isDark = false
    /// Whether it is read from right to left.
    public var isRightToLeft = false
    /// The user's text size.
    public var textSize = UIContentSizeCategory.large
    /// Makes the controller.
    public let make: @MainActor () -> UIViewController

    /// Creates a screen.
    public init(_ name: String, make: @escaping @MainActor () -> UIViewController) {
        self.name = name
        self.make = make
    }

    /// Every screen of `ContentCardsUI`.
    public static var all: [Screen] {
        var dark = feed("feed-dark")
        dark.isDark = true
        var rightToLeft = feed("feed-rtl")
        rightToLeft.isRightToLeft = true
        var large = feed("feed-large-text")
        large.textSize = .accessibilityExtraLarge
        return [
            feed("feed"), dark, rightToLeft, large,
            Screen("feed-empty") { navigation(PreviewFeed(CardFeed(cards: [], lastSync: Date()))) },
            Screen("feed-modal") { ContentCardsViewController(source: PreviewFeed.sample) },
            Screen("swiftui-feed") { UIHostingController(rootView: ContentCardsView(source: PreviewFeed.sample)) },
            Screen("swiftui-cards") { UIHostingController(rootView: CardList()) },
            Screen("swiftui-style") {
                UIHostingController(rootView: CardList().contentCardStyle(TileStyle(), for: .classic, .captionedImage))
            },
            Screen("swiftui-feed-style") { UIHostingController(rootView: StyledFeed(source: PreviewFeed.sample)) },
            Screen("swiftui-feed-placeholder") {
                UIHostingController(rootView: StyledFeed(source: PreviewFeed(CardFeed(cards: [], lastSync: Date()))))
            },
        ]
    }

    private static func feed(_ name: String) -> Screen {
        Screen(name) { navigation(PreviewFeed.sample) }
    }

    private static func navigation(_ source: any CardFeedSource) -> UIViewController {
        let feed = ContentCardsTableViewController(source: source)
        feed.title = "Updates"
        return UINavigationController(rootViewController: feed)
    }
}

/// Lists cards in SwiftUI.
struct CardList: View {
    var body: some View {
        ScrollView {
            LazyVStack {
                ForEach(PreviewFeed.sample.feed.cards) { ContentCardView($0) }
            }
        }
        .contentCards(PreviewFeed.sample)
    }
}

/// Shows a feed in which some cards are tiles, and text of the app's own where there are no cards.
struct StyledFeed: View {
    let source: any CardFeedSource

    var body: some View {
        ContentCardsView(source: source)
            .contentCardStyle(TileStyle(), for: .classic)
            .contentCardsPlaceholder { _ in Text("Come back tomorrow").bold() }
    }
}

/// Draws cards as tiles.
struct TileStyle: ContentCardStyle {
    func makeBody(configuration: Configuration) -> some View {
        HStack {
            Text(configuration.card.title).bold()
            Spacer()
            if configuration.isUnread { Text("New") }
        }
        .padding()
    }
}
#endif
