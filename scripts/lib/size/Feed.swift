import ContentCards
import ContentCardsUI
import Foundation

/// Shows the feed of the SDK.
@main
struct App {
    @MainActor
    static func main() async throws {
        let cards = ContentCardsClient(endpoint: URL(string: "https://cards.example.com")!, key: "pk_key")
        await cards.identify("user-42")
        let feed = ContentCardsTableViewController(source: cards)
        feed.loadViewIfNeeded()
    }
}
