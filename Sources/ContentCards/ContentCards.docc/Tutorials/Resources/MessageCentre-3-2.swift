import ContentCards
import ContentCardsUI
import SwiftUI

struct Coupon: CardContent {
    static let classType = ContentCardClassType.coupon

    let couponCode: String
}

struct MessagesView: View {
    let cards: any CardFeedSource

    var body: some View {
        ContentCardsView(source: cards)
            .contentCardStyle(for: Coupon.self) { coupon, configuration in
                HStack {
                    Text(configuration.card.title).bold()
                    Spacer()
                    Text(coupon.couponCode)
                }
                .padding()
            }
            .navigationTitle("Messages")
    }
}
