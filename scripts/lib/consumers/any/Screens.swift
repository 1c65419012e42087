import ContentCards
import ContentCardsUI
import UIKit

/// Shows the feed, and decides about what is tapped in it.
final class InboxViewController: ContentCardsTableViewController, ContentCardsTableViewControllerDelegate {
    private var hiddenTypes: Set<ContentCardClassType> = []
    private var badge: Task<Void, Never>?

    deinit { badge?.cancel() }

    override func viewDidLoad() {
        super.viewDidLoad()
        clickDelegate = self
        urlHandler = { [weak self] url, card in
            self?.title = card.title
            return url.scheme == "shop"
        }
        attributes.transform = { [weak self] cards in
            cards.filter { self?.hiddenTypes.contains($0.classType) != true }
        }
        attributes.card.cornerRadius = 12
        ContentCardsAttributes.defaults.backgroundColor = .systemBackground
        badge = Task { [weak self, source] in
            for await feed in source.updates { self?.tabBarItem.badgeValue = "\(feed.unviewedCount)" }
        }
    }

    override func dequeueCell(
        from tableView: UITableView,
        for indexPath: IndexPath,
        card: ContentCard
    ) -> ContentCardCell {
        super.dequeueCell(from: tableView, for: indexPath, card: card)
    }

    override func handleCardClick(_ card: ContentCard) {
        super.handleCardClick(card)
    }

    func contentCardTableViewController(
        _ viewController: ContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool { viewController.displayedCards.isEmpty }
}

/// Draws a card in its own way.
class OfferCell: CaptionedImageContentCardCell {
    override func setUpUI() {
        super.setUpUI()
        titleLabel.textAlignment = .center
    }

    override func apply(_ card: ContentCard) {
        super.apply(card)
        titleLabel.text = card.extras["offer"] ?? card.title
    }
}

/// Shows cards among its own content.
final class HomeViewController: UIViewController {
    private let cards: ContentCardsClient
    private var visible: [ContentCard] = []
    private lazy var impressions = ImpressionObserver(
        visible: { [weak self] in self?.visible.map(\.id) ?? [] },
        onImpression: { [cards] id in cards.logImpression(cardID: id) }
    )

    init(cards: ContentCardsClient) {
        self.cards = cards
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        impressions.beginPresentation()
        Task { await refresh() }
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        impressions.pause()
    }

    private func refresh() async {
        do {
            try await cards.refresh()
        } catch {
            title = error.code == .offline ? error.message : nil
        }
        visible = cards.feed.presentableCards
        impressions.update()
    }

    func present(_ url: URL) {
        let page = ContentCardsWebViewController(url: url)
        page.showDoneButton = true
        present(UINavigationController(rootViewController: page), animated: true)
    }
}
