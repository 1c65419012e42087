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
}
