import ContentCards
import ContentCardsUI
import SwiftUI

extension ContentCardClassType {
    static let homeTile = ContentCardClassType(rawValue: "home_tile")
}

struct HomeView: View {
    @LiveCardFeed private var feed

    var body: some View {
        ScrollView {
            LazyVStack {
                ForEach(feed.cards(of: .homeTile)) { ContentCardView($0) }
                Text("Everything else on the home page")
            }
        }
        .refreshable { await $feed.refresh() }
    }
}
