import AppboyUI
import UIKit

// The ready-made feed with the app's cells and its own order.
class FeedViewController: ABKContentCardsTableViewController {
    var excludedTypes: Set<String> = ["coupon", "cake"]

    override func viewDidLoad() {
        super.viewDidLoad()
        cacheTimeout = 30
        disableUnreadIndicator = false
        title = "News"
        tableView.tableFooterView = UIView()
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            barButtonSystemItem: .refresh,
            target: self,
            action: #selector(refreshTapped)
        )
    }

    override func registerTableViewCellClasses() {
        super.registerTableViewCellClasses()
        tableView.register(BakeryBannerCell.self, forCellReuseIdentifier: "ABKBannerContentCardCell")
        tableView.register(BakeryCaptionedImageCell.self, forCellReuseIdentifier: "ABKCaptionedImageContentCardCell")
        tableView.register(BakeryClassicCell.self, forCellReuseIdentifier: "ABKClassicCardCell")
    }

    override func populateContentCards() {
        guard let cards = Appboy.sharedInstance()?.contentCardsController.contentCards as? [ABKContentCard] else {
            return
        }
        let shown = cards.filter { card in
            guard let type = card.extras?["class_type"] as? String else { return true }
            return !excludedTypes.contains(type)
        }
        super.cards = (shown.sorted { $0.created > $1.created } as NSArray).mutableCopy() as? NSMutableArray
    }

    override func handleCardClick(_ card: ABKContentCard!) {
        card.logContentCardClicked()
        if let address = card.urlString, let url = URL(string: address), url.scheme == "bakery" {
            LinkRouter.shared.open(url, in: self)
        } else {
            super.handleCardClick(card)
        }
    }

    @objc private func refreshTapped() {
        Appboy.sharedInstance()?.requestContentCardsRefresh()
    }
}
