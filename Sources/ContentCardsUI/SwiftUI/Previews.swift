#if DEBUG && canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI

/// Shows the feed in Xcode, light and dark.
struct ContentCardsView_Previews: PreviewProvider {
    static var previews: some View {
        Group {
            ContentCardsView(source: PreviewFeed.sample).previewDisplayName("Feed")
            ContentCardsView(source: PreviewFeed.sample).preferredColorScheme(.dark).previewDisplayName("Dark")
            ContentCardsView(source: PreviewFeed(CardFeed(cards: []))).previewDisplayName("Empty")
            ContentCardsView(source: PreviewFeed.sample).contentCardStyle(TitleStyle(), for: .classic)
                .previewDisplayName("With a style")
        }
    }
}

/// Draws the title of a card.
private struct TitleStyle: ContentCardStyle {
    func makeBody(configuration: Configuration) -> some View {
        Text(configuration.card.title).bold().padding()
    }
}

/// Shows each kind of card in Xcode.
struct ContentCardView_Previews: PreviewProvider {
    static var previews: some View {
        ScrollView {
            LazyVStack {
                ForEach(PreviewFeed.sample.feed.cards) { ContentCardView($0) }
            }
        }
        .contentCards(PreviewFeed.sample)
    }
}
#endif
