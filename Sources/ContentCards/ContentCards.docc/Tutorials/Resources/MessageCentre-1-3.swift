import ContentCards
import ContentCardsUI
import UIKit

final class HomeViewController: UIViewController {
    private let cards: ContentCardsClient

    init(cards: ContentCardsClient) {
        self.cards = cards
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func showMessages() {
        var attributes = ContentCardsAttributes()
        attributes.emptyStateMessage = "No messages yet."
        attributes.transform = { cards in
            cards.filter { [.message(.webView), .message(.fullPage)].contains($0.classType) }
        }
        let messages = ContentCardsTableViewController(source: cards, attributes: attributes)
        messages.title = "Messages"
        navigationController?.pushViewController(messages, animated: true)
    }
}
