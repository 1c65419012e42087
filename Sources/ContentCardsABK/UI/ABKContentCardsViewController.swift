// The feed may be replaced by an app's own, as outlets are.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if !os(tvOS)
import ContentCardsUI

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows the feed with a navigation bar and a Done button: present it.
///
/// Set the title on `contentCardsViewController`.
#if canImport(ObjectiveC)
@objc(ABKContentCardsViewController) @objcMembers
#endif
open class ABKContentCardsViewController: UINavigationController {
    /// The feed.
    ///
    /// One that an app sets takes its place, with the Done button.
    open var contentCardsViewController: ABKContentCardsTableViewController! {
        didSet {
            guard let contentCardsViewController, contentCardsViewController !== oldValue else { return }
            setViewControllers([contentCardsViewController], animated: false)
            addDone()
        }
    }

    /// Creates a feed of the shared instance, which has to be started before.
    public convenience init() {
        self.init(contentCardsViewController: ABKContentCardsTableViewController())
    }

    /// Presents a feed of the app's own class.
    public init(contentCardsViewController: ABKContentCardsTableViewController) {
        super.init(nibName: nil, bundle: nil)
        self.contentCardsViewController = contentCardsViewController
        setViewControllers([contentCardsViewController], animated: false)
        addDone()
    }

    /// Creates the controller of a storyboard; where the storyboard brings no feed, that of the shared instance is
    /// shown.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        if let feed = viewControllers.first as? ABKContentCardsTableViewController {
            contentCardsViewController = feed
        } else {
            let feed = ABKContentCardsTableViewController()
            contentCardsViewController = feed
            setViewControllers([feed], animated: false)
        }
        addDone()
    }

    private func addDone() {
        contentCardsViewController.navigationItem.rightBarButtonItem = .done(dismissing: self)
    }

    /// Keeps the bar from being transparent over the cards.
    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemGroupedBackground
    }
}
#endif
