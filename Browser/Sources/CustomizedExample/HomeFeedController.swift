import BrowserUIKit
import ContentCardsABK
import Foundation

// The documented calls take and return their values implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

/// Shows the cards that are meant for the home screen, in cells of the app's own.
final class HomeFeedController: ABKContentCardsTableViewController {
    override func setUp() {
        super.setUp()
        maxContentCardWidth = 460
    }

    override func setUpEmptyFeedLabel() {
        super.setUpEmptyFeedLabel()
        emptyFeedLabel.textColor = .secondaryLabel
    }

    override func registerTableViewCellClasses() {
        super.registerTableViewCellClasses()
        tableView.register(OverlayBannerCell.self, forCellReuseIdentifier: "ABKBannerContentCardCell")
        tableView.register(ThemedCaptionedCell.self, forCellReuseIdentifier: "ABKCaptionedImageContentCardCell")
        tableView.register(ReversedClassicImageCell.self, forCellReuseIdentifier: "ABKClassicImageCardCell")
        tableView.register(LavenderClassicCell.self, forCellReuseIdentifier: "ABKClassicCardCell")
    }

    /// Leaves out what is for other screens, and signs what the shop itself says.
    override func populateContentCards() {
        guard let all = Appboy.sharedInstance()?.contentCardsController.contentCards else { return }
        let home = all.filter { $0.extras?["feed"] as? String != "checkout" }
        for card in home {
            guard let classic = card as? ABKClassicContentCard, classic.extras?["from"] as? String == "shop" else {
                continue
            }
            let signature = " Your shop."
            if !classic.cardDescription.hasSuffix(signature) { classic.cardDescription += signature }
        }
        super.cards = (home as NSArray).mutableCopy() as? NSMutableArray
    }

    /// Shows cards that name a screen of the app on that screen; all others do what they usually do.
    override func handleCardClick(_ card: ABKContentCard!) {
        guard let text = card.extras?["screen"] as? String else { return super.handleCardClick(card) }
        card.logContentCardClicked()
        navigationController?.pushViewController(DetailController(text), animated: true)
    }
}

/// A screen of the app that cards lead to.
final class DetailController: UIViewController {
    private let text: String

    init(_ text: String) {
        self.text = text
        super.init(nibName: nil, bundle: nil)
        title = "From a card"
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let label = UILabel()
        label.text = text
        label.font = .preferredFont(forTextStyle: .title2)
        label.numberOfLines = 0
        label.textAlignment = .center
        label.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(label)
        NSLayoutConstraint.activate([
            label.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
            label.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
            label.centerYAnchor.constraint(equalTo: view.centerYAnchor),
        ])
    }
}
