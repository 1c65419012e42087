import ContentCards
import SwiftUI

@MainActor
final class Checkout: ObservableObject {
    @Published private(set) var coupon: Coupon?
    private let cards: ContentCardsClient
    private var slot: ContentCard?

    init(cards: ContentCardsClient) {
        self.cards = cards
    }

    func followFeed() async {
        for await feed in cards.updates {
            let first = feed.cards(of: .coupon).first
            if let first, first.id != slot?.id { cards.logImpression(first) }
            slot = first
            coupon = feed.objects(Coupon.self).first { $0.card.id == first?.id }
        }
    }

    func redeem(_ coupon: Coupon) {
        cards.logClick(coupon.card, customAction: true)
        cards.logEvent("coupon_used", properties: ["code": .string(coupon.couponCode)])
        cards.logDismissal(coupon.card)
    }

    func refuse(_ coupon: Coupon) {
        cards.logDismissal(coupon.card)
    }
}
