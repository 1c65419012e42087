import ContentCards
import Foundation

/// Shows cards in its own way.
@main
struct App {
    static func main() async throws {
        let cards = ContentCardsClient(endpoint: URL(string: "https://cards.example.com")!, key: "pk_key")
        await cards.identify("user-42")
        try await cards.refresh()
        for await feed in cards.updates {
            for card in feed.presentableCards {
                print(card.title)
                cards.logImpression(card)
                cards.logClick(card)
                cards.logDismissal(card)
            }
        }
    }
}
