#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows a feed with a navigation bar and a Done button: present it.
///
/// Set the title on `contentCardsViewController`.
open class ContentCardsViewController: UINavigationController {
    /// The feed.
    public let contentCardsViewController: ContentCardsTableViewController

    /// Creates a feed to present.
    public convenience init(source: any CardFeedSource, attributes: ContentCardsAttributes? = nil) {
        self.init(contentCardsViewController: ContentCardsTableViewController(source: source, attributes: attributes))
    }

    /// Presents a feed of the app's own class.
    public init(contentCardsViewController: ContentCardsTableViewController) {
        self.contentCardsViewController = contentCardsViewController
        super.init(nibName: nil, bundle: nil)
        setViewControllers([contentCardsViewController], animated: false)
        contentCardsViewController.navigationItem.rightBarButtonItem = .done(dismissing: self)
    }

    /// A feed needs a source, which a storyboard cannot give: this returns `nil`, `init(coder:source:attributes:)` a
    /// feed.
    public required init?(coder: NSCoder) {
        nil
    }

    /// Creates a feed of a storyboard, in a segue action or the creator of
    /// `instantiateViewController(identifier:creator:)`.
    public init?(coder: NSCoder, source: any CardFeedSource, attributes: ContentCardsAttributes? = nil) {
        contentCardsViewController = ContentCardsTableViewController(source: source, attributes: attributes)
        super.init(coder: coder)
        setViewControllers([contentCardsViewController], animated: false)
        contentCardsViewController.navigationItem.rightBarButtonItem = .done(dismissing: self)
    }

    /// Keeps the bar from being transparent over the cards.
    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemGroupedBackground
    }
}
#endif
