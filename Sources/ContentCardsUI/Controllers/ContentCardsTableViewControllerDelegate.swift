#if !os(tvOS)
import Foundation

/// Decides about clicks in a feed, and hears about them.
@preconcurrency @MainActor
public protocol ContentCardsTableViewControllerDelegate: AnyObject {
    /// Returns whether the feed should open an address; `false` where the app does. The click is logged either way.
    func contentCardTableViewController(
        _ viewController: ContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool
    /// Is called after the feed has opened an address.
    func contentCardTableViewController(
        _ viewController: ContentCardsTableViewController,
        didHandleCardClick url: URL
    )
}

extension ContentCardsTableViewControllerDelegate {
    /// Lets the feed open it.
    public func contentCardTableViewController(
        _ viewController: ContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool { true }

    /// Does nothing.
    public func contentCardTableViewController(
        _ viewController: ContentCardsTableViewController,
        didHandleCardClick url: URL
    ) {}
}
#endif
