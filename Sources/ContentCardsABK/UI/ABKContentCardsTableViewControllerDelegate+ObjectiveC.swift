#if canImport(ObjectiveC) && !os(tvOS)
import Foundation

// The documented calls take their arguments implicitly unwrapped; apps write them with and without.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

/// Decides about clicks in a feed, and hears about them.
///
/// Both calls are optional, and an app writes their arguments with or without `!`.
@preconcurrency @MainActor
@objc
public protocol ABKContentCardsTableViewControllerDelegate: AnyObject {
    /// Returns whether the feed should open an address; `false` where the app does. The click is logged either way.
    @objc
    optional func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        shouldHandleCardClick url: URL!
    ) -> Bool
    /// Is called after the feed has opened an address.
    @objc
    optional func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        didHandleCardClick url: URL!
    )
}

extension ABKContentCardsTableViewControllerDelegate {
    /// Returns whether the feed opens an address: where the delegate does not say, it does.
    func opens(_ url: URL, in feed: ABKContentCardsTableViewController) -> Bool {
        contentCardTableViewController?(feed, shouldHandleCardClick: url) ?? true
    }

    /// Tells that the feed has opened an address.
    func hasOpened(_ url: URL, in feed: ABKContentCardsTableViewController) {
        contentCardTableViewController?(feed, didHandleCardClick: url)
    }
}
#endif
