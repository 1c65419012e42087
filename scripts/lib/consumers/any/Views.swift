import ContentCards
import ContentCardsUI
import SwiftUI

struct InboxView: View {
    @LiveCardFeed private var feed
    @State private var opened: String?

    var body: some View {
        List(feed.cards) { card in
            ContentCardView(
                card,
                shouldOpen: { url in
                    opened = url.host
                    return url.scheme == "https"
                }
            )
        }
        .contentCardStyle(PlainCardStyle(), for: .classic)
        .contentCardStyle(.standard, where: { $0.isPinned })
        .refreshable { await $feed.refresh() }
    }
}

struct PlainCardStyle: ContentCardStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack {
            Text(configuration.card.title)
            configuration.content
        }
    }
}

struct FeedView: View {
    let cards: ContentCardsClient
    @State private var count = 0

    var body: some View {
        ContentCardsView(source: cards) { controller in
            controller.showsCount = true
            controller.urlHandler = { _, _ in false }
        }
        .contentCards(cards)
        .task { for await feed in cards.updates { count = feed.unviewedCount } }
    }
}

extension ContentCardsTableViewController {
    fileprivate var showsCount: Bool {
        get { title != nil }
        set { title = newValue ? "\(displayedCards.count)" : nil }
    }
}

struct Recipe: CardContent {
    static let classType = ContentCardClassType(rawValue: "recipe")
    let minutes: Int
}

struct StyledFeedView: View {
    let cards: ContentCardsClient
    let loader: CardImageLoader?
    @State private var recipe: String?
    @State private var isMarked = true

    var body: some View {
        ContentCardsView(source: cards)
            .scrollRestoration(id: "news")
            .contentCardStyle(PlainCardStyle(), for: .classic, .captionedImage)
            .contentCardStyle(PlainCardStyle(), forClassType: .coupon, .message(.webView))
            .contentCardStyle(for: Recipe.self) { recipe, configuration in
                HStack {
                    Text("\(recipe.minutes) minutes")
                    if configuration.isUnread { Text("New") }
                }
            }
            .contentCardsPlaceholder { placeholder in
                switch placeholder.reason {
                case .loading: ProgressView()
                case .empty: Text("Nothing new")
                case .failed: Button("Try again", action: placeholder.retry)
                }
            }
            .onContentCardTap { card in
                recipe = card.extras["recipe"]
                return recipe != nil
            }
            .contentCardUnreadIndicator(isMarked ? .automatic : .hidden)
            .contentCardImageLoader(loader)
    }
}

@available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
struct ObservingView: View {
    @State private var inbox: ObservableCardFeed

    init(_ source: any CardFeedSource = PreviewFeed.sample) {
        _inbox = State(initialValue: ObservableCardFeed(source))
    }

    var body: some View {
        List(inbox.feed.cards) { ContentCardView($0) }.refreshable { await inbox.refresh() }
    }
}
