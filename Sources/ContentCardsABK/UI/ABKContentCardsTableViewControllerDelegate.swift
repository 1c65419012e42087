#if !canImport(ObjectiveC)
import Foundation

// The documented calls take their arguments implicitly unwrapped; apps write them with and without.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

/// Decides about clicks in a feed, and hears about them.
///
/// Each call comes in two spellings, of which an app has one or none.
@preconcurrency @MainActor
public protocol ABKContentCardsTableViewControllerDelegate: AnyObject {
    /// Returns whether the feed should open an address; `false` where the app does. The click is logged either way.
    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        shouldHandleCardClick url: URL!
    ) -> Bool
    /// Returns whether the feed should open an address.
    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool
    /// Is called after the feed has opened an address.
    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        didHandleCardClick url: URL!
    )
    /// Is called after the feed has opened an address.
    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController,
        didHandleCardClick url: URL
    )
}

extension ABKContentCardsTableViewControllerDelegate {
    /// Lets the feed open it.
    public func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        shouldHandleCardClick url: URL!
    ) -> Bool { true }

    /// Asks by the other spelling.
    public func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool {
        let (viewController, url): (ABKContentCardsTableViewController?, URL?) = (viewController, url)
        return contentCardTableViewController(viewController, shouldHandleCardClick: url)
    }

    /// Does nothing.
    public func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        didHandleCardClick url: URL!
    ) {}

    /// Tells by the other spelling.
    public func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController,
        didHandleCardClick url: URL
    ) {
        let (viewController, url): (ABKContentCardsTableViewController?, URL?) = (viewController, url)
        contentCardTableViewController(viewController, didHandleCardClick: url)
    }

    /// Returns whether the feed opens an address.
    func opens(_ url: URL, in feed: ABKContentCardsTableViewController) -> Bool {
        contentCardTableViewController(feed, shouldHandleCardClick: url)
    }

    /// Tells that the feed has opened an address.
    func hasOpened(_ url: URL, in feed: ABKContentCardsTableViewController) {
        contentCardTableViewController(feed, didHandleCardClick: url)
    }
}
#endif
