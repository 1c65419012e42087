import ContentCards
import ContentCardsUI
import SwiftUI

struct MessagesView_Previews: PreviewProvider {
    static let coupon = ContentCard(
        id: "coupon",
        title: "For you",
        extras: ["class_type": "coupon_code", "coupon_code": "TENT20"]
    )

    static var previews: some View {
        MessagesView(cards: PreviewFeed(CardFeed(cards: [coupon])))
    }
}
