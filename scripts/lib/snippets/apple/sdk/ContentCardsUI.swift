@_exported import ContentCards
import Foundation
import UIKit
import WebKit

@MainActor public protocol CardFeedSource {
    var feed: CardFeed { get }
    var updates: AsyncStream<CardFeed> { get }
    func refresh(_ reason: SyncReason) async throws(ContentCardsError)
    func logImpression(_ card: ContentCard) -> Bool
    func logClick(_ card: ContentCard, customAction: Bool) -> Bool
    func logDismissal(_ card: ContentCard) -> Bool
}
public struct ContentCardsAttributes {}
public struct CardAttributes { public init() {} }
public enum ContentCardsText { case empty, noConnection }
public enum CardCellIdentifier: String, CaseIterable, Sendable {
    case control, banner, captionedImage, classicImage, classic
    public init(for card: ContentCard) { fatalError() }
}
@MainActor public final class CardText { public init() {} }
open class CardImageView: UIImageView {}
@MainActor public final class SizedCardImage { public init(_ v: CardImageView) {} }
@MainActor public final class CardImageSlot { public init(_ v: CardImageView) {} }
@objcMembers open class ContentCardCell: UITableViewCell {
    open func adaptToTextSize() {}
    open var rootView: UIView!
    open var pinImageView: UIImageView!
    open var unviewedLineView: UIView!
    open var unviewedLineViewColor: UIColor?
    open var hideUnreadIndicator = false
    open var cardSidePadding: CGFloat = 10
    open var cardSpacing: CGFloat = 20
    open var rootViewLeadingConstraint: NSLayoutConstraint!
    open var rootViewTrailingConstraint: NSLayoutConstraint!
    open var rootViewTopConstraint: NSLayoutConstraint!
    open var rootViewBottomConstraint: NSLayoutConstraint!
    open var cardWidthConstraint: NSLayoutConstraint!
    open func setUp() {}
    open func setUpUI() {}
    open func apply(_ card: ContentCard) {}
    open func applyAttributes(changedFrom old: CardAttributes?) {}
    open func spokenTexts(of card: ContentCard) -> [String] { [] }
}
@MainActor public protocol ContentCardsTableViewControllerDelegate: AnyObject {}
@objcMembers open class ContentCardsTableViewController: UITableViewController {
    public init(
        source: any CardFeedSource,
        attributes: ContentCardsAttributes? = nil,
        clock: any ContentCardsClock = SystemClock()
    ) { fatalError() }
    public required init?(coder: NSCoder) { fatalError() }
    public init?(coder: NSCoder, source: any CardFeedSource) { fatalError() }
    open var disableUnreadIndicator = false
    open var displayedCards: [ContentCard] = []
    open var cacheTimeout: TimeInterval = 60
    open var maxContentCardWidth: CGFloat = 0
    open var enableDarkTheme = true
    open var emptyFeedView: UIView!
    open var emptyFeedLabel: UILabel!
    open func setUp() {}
    open func setUpUI() {}
    open func setUpEmptyFeedLabel() {}
    open func setUpEmptyFeedView() {}
    open func localizedString(_ text: ContentCardsText) -> String { "" }
    open func registerTableViewCellClasses() {}
    open func findCellIdentifier(with card: ContentCard) -> String { "" }
    open func dequeueCell(from tableView: UITableView, for indexPath: IndexPath, card: ContentCard) -> ContentCardCell {
        fatalError()
    }
    open func populateContentCards() {}
    open func requestNewCardsIfTimeout() {}
    open func handleCardClick(_ card: ContentCard) {}
    open func makeWebViewController(for url: URL) -> ContentCardsWebViewController { fatalError() }
    open override func viewDidAppear(_ animated: Bool) {}
    open override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
    open override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        fatalError()
    }
}
@objcMembers open class ContentCardsWebViewController: UIViewController, WKNavigationDelegate {
    open var url: URL!
    open var webView: WKWebView!
    open var progressBar: UIProgressView!
    open var showDoneButton = false
    public init(url: URL) { fatalError() }
    public required init?(coder: NSCoder) { fatalError() }
    open func noConnectionMessage() -> String { "" }
    open func makeWebView() -> WKWebView { fatalError() }
    open func layOutProgressBar() {}
    open func makeDoneBarButtonItem() -> UIBarButtonItem { fatalError() }
}
