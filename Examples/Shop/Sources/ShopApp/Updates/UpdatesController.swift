import ContentCardsUI

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The feed of the SDK: as it is, or in the look of the shop.
final class UpdatesController: UIViewController {
    private let shop: Shop
    private let style = UISegmentedControl(items: ["Shop style", "Default"])
    private let host = UIView()

    init(shop: Shop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
        title = "Updates"
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemGroupedBackground
        style.selectedSegmentIndex = 0
        style.accessibilityIdentifier = "feed-style"
        style.addAction(UIAction { [weak self] _ in self?.showFeed() }, for: .valueChanged)
        for view in [style, host] as [UIView] {
            view.translatesAutoresizingMaskIntoConstraints = false
            self.view.addSubview(view)
        }
        let guide = view.safeAreaLayoutGuide
        NSLayoutConstraint.activate([
            style.topAnchor.constraint(equalTo: guide.topAnchor, constant: 4),
            style.leadingAnchor.constraint(equalTo: guide.leadingAnchor, constant: 16),
            style.trailingAnchor.constraint(equalTo: guide.trailingAnchor, constant: -16),
            host.topAnchor.constraint(equalTo: style.bottomAnchor, constant: 8),
            host.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            host.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            host.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        ])
        showFeed()
    }

    private func showFeed() {
        for child in children {
            child.willMove(toParent: nil)
            child.view.removeFromSuperview()
            child.removeFromParent()
        }
        let isOurs = style.selectedSegmentIndex == 0
        let source = shop.cards.client
        let feed = isOurs ? ShopFeedController(source: source) : OwnCardsFeedController(source: source)
        feed.urlHandler = { [shop] url, _ in
            guard let link = Deeplink(url) else { return false }
            shop.open(link)
            return true
        }
        addChild(feed)
        host.fill(with: feed.view)
        feed.didMove(toParent: self)
    }
}

/// Shows the cards that are no objects of the app: those with a class type have a place of their own.
class OwnCardsFeedController: ContentCardsTableViewController {
    override func populateContentCards() {
        super.populateContentCards()
        displayedCards = displayedCards.filter { $0.classType == .none }
    }
}

/// Shows them in the look of the shop, which key-value pairs of a card can change.
final class ShopFeedController: OwnCardsFeedController {
    override func setUp() {
        super.setUp()
        attributes.card.cornerRadius = 16
        attributes.card.borderWidth = 0
        attributes.card.shadowOpacity = 0
        attributes.card.sidePadding = 16
        attributes.card.spacing = 14
        attributes.card.padding = 16
        attributes.card.maxWidth = 620
        attributes.card.unreadHeight = 4
        attributes.card.backgroundColor = .secondarySystemGroupedBackground
        attributes.card.descriptionColor = .secondaryLabel
        attributes.card.linkColor = .brand
        attributes.card.titleFont = CardFont(style: .headline, size: 17, weight: .semibold)
        attributes.card.descriptionFont = CardFont(style: .subheadline, size: 15, weight: .regular)
        attributes.card.linkFont = CardFont(style: .subheadline, size: 15, weight: .semibold)
    }

    override func registerTableViewCellClasses() {
        super.registerTableViewCellClasses()
        tableView.register(ShopBannerCell.self, forCellReuseIdentifier: CardCellIdentifier.banner.rawValue)
        tableView.register(ShopCaptionedCell.self, forCellReuseIdentifier: CardCellIdentifier.captionedImage.rawValue)
        tableView.register(ShopImageCell.self, forCellReuseIdentifier: CardCellIdentifier.classicImage.rawValue)
        tableView.register(ShopTextCell.self, forCellReuseIdentifier: CardCellIdentifier.classic.rawValue)
    }
}
