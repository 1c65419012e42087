import ContentCards
import ContentCardsUI
import SwiftUI

struct RootView: View {
    let cards: ContentCardsClient

    var body: some View {
        HomeView()
            .contentCards(cards)
            .task { await cards.identify("user-42") }
    }
}
