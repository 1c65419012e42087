import ContentCards
import ContentCardsUI
import SwiftUI

struct MessagesView: View {
    let cards: any CardFeedSource

    var body: some View {
        ContentCardsView(source: cards)
            .navigationTitle("Messages")
    }
}
