import ContentCardsUI

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows the page that a card leads to.
public typealias ABKContentCardsWebViewController = ContentCardsWebViewController

/// Shows the feed with a navigation bar and a Done button: present it.
///
/// Set the title on `contentCardsViewController`.
open class ABKContentCardsViewController: UINavigationController {
    /// The feed.
    public let contentCardsViewController: ABKContentCardsTableViewController

    /// Creates a feed of the shared instance, which has to be started before.
    public init() {
        contentCardsViewController = ABKContentCardsTableViewController()
        super.init(nibName: nil, bundle: nil)
        setViewControllers([contentCardsViewController], animated: false)
        contentCardsViewController.navigationItem.rightBarButtonItem = UIBarButtonItem(
            systemItem: .done,
            primaryAction: UIAction { [weak self] _ in self?.dismiss(animated: true) }
        )
    }

    /// A storyboard cannot make a feed: this returns `nil`.
    public required init?(coder: NSCoder) {
        nil
    }

    /// Keeps the bar from being transparent over the cards.
    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemGroupedBackground
    }
}
