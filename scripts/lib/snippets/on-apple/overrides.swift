// What apps override and adopt in Swift, as Apple's compiler sees it, where the classes belong to Objective-C: with and
// without `!`.
import ContentCardsABK
import Foundation
import UIKit

// snippet: delegates without implicitly unwrapped parameters
class Delegate: ABKContentCardsTableViewControllerDelegate, ABKURLDelegate {
    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool { true }
    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController,
        didHandleCardClick url: URL
    ) {}
    func handleAppboyURL(_ url: URL?, from channel: ABKChannel, withExtras extras: [AnyHashable: Any]?) -> Bool { true }
}

// snippet: delegates with them
class UnwrappedDelegate: NSObject, ABKContentCardsTableViewControllerDelegate, ABKSdkAuthenticationDelegate {
    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        shouldHandleCardClick url: URL!
    ) -> Bool { true }
    func handle(_ authError: ABKSdkAuthenticationError) {}
}

// snippet: cells
class CaptionedCell: ABKCaptionedImageContentCardCell {
    override func apply(_ captionedImageCard: ABKCaptionedImageContentCard!) { super.apply(captionedImageCard) }
    override func setUpUI() { super.setUpUI() }
}
class AnyCardCell: ABKBannerContentCardCell {
    override func apply(_ card: ABKContentCard!) { super.apply(card) }
    override func setUp() { super.setUp() }
}
class ClassicCell: ABKClassicImageContentCardCell {
    override func apply(_ card: ABKClassicContentCard) { super.apply(card) }
}

// snippet: feeds with implicitly unwrapped parameters
class UnwrappedFeed: ABKContentCardsTableViewController {
    override func dequeueCell(
        from tableView: UITableView!,
        forIndexPath indexPath: IndexPath!,
        forCard card: ABKContentCard!
    ) -> ABKBaseContentCardCell! { nil }
    override func findCellIdentifier(with card: ABKContentCard!) -> String! { nil }
    override func handleCardClick(_ card: ABKContentCard!) { super.handleCardClick(card) }
    override func localizedAppboyContentCardsString(_ key: String!) -> String! { nil }
    override func registerTableViewCellClasses() {}
}

// snippet: feeds without them
class Feed: ABKContentCardsTableViewController {
    override func dequeueCell(
        from tableView: UITableView,
        for indexPath: IndexPath,
        for card: ABKContentCard
    ) -> ABKBaseContentCardCell! { nil }
    override func findCellIdentifier(with card: ABKContentCard) -> String! { nil }
    override func handleCardClick(_ card: ABKContentCard) { super.handleCardClick(card) }
    override func localizedAppboyContentCardsString(_ key: String) -> String! { nil }
    override func populateContentCards() {}
}
