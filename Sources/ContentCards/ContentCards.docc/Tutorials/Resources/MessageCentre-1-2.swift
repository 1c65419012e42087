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
        let messages = ContentCardsTableViewController(source: cards)
        messages.title = "Messages"
        navigationController?.pushViewController(messages, animated: true)
    }
}
