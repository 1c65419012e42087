import ContentCards
import ContentCardsUI
import UIKit

final class HomeViewController: UIViewController {
    private let cards: ContentCardsClient
    private var badge: Task<Void, Never>?

    init(cards: ContentCardsClient) {
        self.cards = cards
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    deinit { badge?.cancel() }

    override func viewDidLoad() {
        super.viewDidLoad()
        badge = Task { [weak self, cards] in
            for await feed in cards.updates {
                let messages = feed.cards(of: .message(.webView), .message(.fullPage))
                let newCount = messages.filter { $0.isPresentable && !$0.isViewed }.count
                self?.tabBarItem.badgeValue = newCount > 0 ? "\(newCount)" : nil
            }
        }
    }

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
