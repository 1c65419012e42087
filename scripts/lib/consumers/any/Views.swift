import ContentCards
import ContentCardsUI
import SwiftUI

struct InboxView: View {
    @LiveCardFeed private var feed
    @State private var opened: String?

    var body: some View {
        List(feed.cards) { card in
            ContentCardView(card, shouldOpen: { url in
                opened = url.host
                return url.scheme == "https"
            })
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
