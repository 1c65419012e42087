#if !os(tvOS)
import ContentCards
import ContentCardsUI
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

// The documented calls take their arguments implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

/// Shows the feed of the shared instance.
#if canImport(ObjectiveC)
@objc(ABKContentCardsTableViewController) @objcMembers
#endif
open class ABKContentCardsTableViewController: ContentCardsTableViewController, ABKBaseContentCardCellDelegate {
    /// Decides and hears about clicks.
    open weak var delegate: (any ABKContentCardsTableViewControllerDelegate)?
    /// The cards that are shown: objects of ``ABKContentCard`` and its subclasses.
    ///
    /// Set them in ``populateContentCards()`` alone.
    open var cards: NSMutableArray? {
        didSet { displayedCards = objects.map(\.contentCard) }
    }
    /// The cards that are shown, as values: one that the user dismisses leaves ``cards``, too.
    open override var displayedCards: [ContentCard] { didSet { dropDismissed() } }

    /// Creates the feed of the shared instance; until that is started, the feed is empty.
    public init() {
        super.init(source: ABKFeedSource())
        connect()
    }

    /// Creates a feed of any source.
    public override init(
        source: any CardFeedSource,
        attributes: ContentCardsAttributes? = nil,
        clock: any ContentCardsClock = SystemClock()
    ) {
        super.init(source: source, attributes: attributes, clock: clock)
        connect()
    }

    /// Creates the feed of the shared instance from a storyboard, and lays it out in code all the same.
    ///
    /// The instance may be started later, as in apps without scenes, whose main storyboard is loaded first.
    public required init?(coder: NSCoder) {
        super.init(coder: coder, source: ABKFeedSource())
        connect()
    }

    private func connect() {
        clickDelegate = self
        urlHandler = { url, card in
            let delegate = Appboy.sharedInstance()?.appboyUrlDelegate
            return delegate?.handleAppboyURL(url, from: .contentCardChannel, withExtras: card.extras) ?? false
        }
    }

    /// Returns a feed to push.
    open class func getNavigationContentCards() -> ABKContentCardsTableViewController! {
        ABKContentCardsTableViewController()
    }

    // MARK: Cards

    private var objects: [ABKContentCard] { cards?.compactMap { $0 as? ABKContentCard } ?? [] }

    private func dropDismissed() {
        guard let cards, displayedCards.count < cards.count else { return }
        let shown = Set(displayedCards.map(\.identity))
        for index in (0..<cards.count).reversed() {
            let card = (cards[index] as? ABKContentCard)?.contentCard
            if let card, !shown.contains(card.identity) { cards.removeObject(at: index) }
        }
    }

    private func object(of card: ContentCard) -> ABKContentCard {
        objects.first { $0.idString.hasSameBytes(as: card.id) }
            ?? ABKContentCard.make(card, client: Appboy.sharedInstance()?.client)
    }

    /// Takes the cards of the shared instance.
    ///
    /// Override it to show others, by setting ``cards``.
    open override func populateContentCards() {
        let controller = (source as? ABKFeedSource)?.instance?.contentCardsController
        let all = controller?.contentCards ?? source.feed.cards.map { ABKContentCard.make($0, client: nil) }
        cards = NSMutableArray(array: all)
    }

    // MARK: Cells

    /// Registers the classes of the cells under their documented identifiers.
    ///
    /// To use others, call super and register them for the same identifiers.
    open override func registerTableViewCellClasses() {
        super.registerTableViewCellClasses()
        for identifier in CardCellIdentifier.allCases {
            let cell = identifier.documented
            tableView.register(cell.cellClass, forCellReuseIdentifier: cell.reuseIdentifier)
        }
    }

    /// Returns the identifier of the cell for a card.
    #if canImport(ObjectiveC)
    @objc(findCellIdentifierWithCard:)
    #endif
    open func findCellIdentifier(with card: ABKContentCard!) -> String! {
        card.flatMap { findCellIdentifier(with: $0 as ABKContentCard) }
    }

    /// Returns the identifier of the cell for a card; apps override this form or the one above.
    @nonobjc
    open func findCellIdentifier(with card: ABKContentCard) -> String! {
        CardCellIdentifier(for: card.contentCard).documented.reuseIdentifier
    }

    /// Returns the identifier of the cell for a card.
    open override func findCellIdentifier(with card: ContentCard) -> String {
        findCellIdentifier(with: Optional(object(of: card))) ?? CardCellIdentifier(for: card).documented.reuseIdentifier
    }

    /// Returns a cell for a card, which will show the live object.
    open override func dequeueCell(
        from tableView: UITableView,
        for indexPath: IndexPath,
        card: ContentCard
    ) -> ContentCardCell {
        let object = object(of: card)
        guard let cell = dequeueCell(from: tableView, forIndexPath: indexPath, forCard: object) else {
            return ABKControlTableViewCell(style: .default, reuseIdentifier: nil)
        }
        cell.card = object
        cell.delegate = self
        return cell
    }

    /// Returns a cell for a card.
    #if canImport(ObjectiveC)
    @objc(dequeueCellFromTableView:forIndexPath:forCard:)
    #endif
    open func dequeueCell(
        from tableView: UITableView!,
        forIndexPath indexPath: IndexPath!,
        forCard card: ABKContentCard!
    ) -> ABKBaseContentCardCell! {
        let (table, path, card): (UITableView?, IndexPath?, ABKContentCard?) = (tableView, indexPath, card)
        return dequeueCell(from: table, for: path, for: card)
    }

    /// Returns a cell for a card, under the name that the importer of Objective-C gives this call.
    @nonobjc
    open func dequeueCell(
        from tableView: UITableView!,
        for indexPath: IndexPath!,
        for card: ABKContentCard!
    ) -> ABKBaseContentCardCell! {
        guard let tableView, let indexPath, let card else { return nil }
        return dequeueCell(from: tableView as UITableView, for: indexPath as IndexPath, for: card as ABKContentCard)
    }

    /// Returns a cell for a card; apps override this form or the one above.
    @nonobjc
    open func dequeueCell(
        from tableView: UITableView,
        for indexPath: IndexPath,
        for card: ABKContentCard
    ) -> ABKBaseContentCardCell! {
        super.dequeueCell(from: tableView, for: indexPath, card: card.contentCard) as? ABKBaseContentCardCell
    }

    /// Shows a card, and hears from the cell when it needs another height.
    open override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = super.tableView(tableView, cellForRowAt: indexPath)
        (cell as? ABKBaseContentCardCell)?.onSizeChange = { cell in
            (cell as? ABKBaseContentCardCell)?.delegate?.cellRequestSizeUpdate(cell)
        }
        return cell
    }

    /// Gives the row of a cell the height that the cell needs now.
    open func cellRequestSizeUpdate(_ cell: UITableViewCell!) {
        if let cell = cell as? ContentCardCell { resize(cell) }
    }

    // MARK: Clicks

    /// Does what a click on a card asks for: logs it, asks the delegates, and opens the address.
    open func handleCardClick(_ card: ABKContentCard!) {
        if let card { handleCardClick(card as ABKContentCard) }
    }

    /// Does what a click on a card asks for; apps override this form or the one above.
    #if canImport(ObjectiveC)
    // Not `@nonobjc`: an override would get the selector of the other form.
    @objc(handleCardClickOfCard:)
    #endif
    open func handleCardClick(_ card: ABKContentCard) {
        super.handleCardClick(card.contentCard)
    }

    /// Handles a click on the object of a card.
    open override func handleCardClick(_ card: ContentCard) {
        handleCardClick(Optional(object(of: card)))
    }

    /// Makes the controller of a page that a card leads to.
    open override func makeWebViewController(for url: URL) -> ContentCardsWebViewController {
        ABKContentCardsWebViewController(url: url)
    }

    // MARK: Texts and life

    /// Returns the text for a documented key, `Appboy.content-cards.no-card.text` of an empty feed or
    /// `Appboy.content-cards.no-connection.message`; the app's own strings win.
    open func localizedAppboyContentCardsString(_ key: String!) -> String! {
        key.flatMap { localizedAppboyContentCardsString($0 as String) }
    }

    /// Returns a text in the user's language; apps override this form or the one above.
    #if canImport(ObjectiveC)
    // Not `@nonobjc`: an override would get the selector of the other form.
    @objc(localizedContentCardsStringForKey:)
    #endif
    open func localizedAppboyContentCardsString(_ key: String) -> String! {
        let own = Bundle.main.localizedString(forKey: key, value: key, table: nil)
        guard own == key, let text = Self.texts[key] else { return own }
        return super.localizedString(text)
    }

    /// Returns a text in the user's language.
    open override func localizedString(_ text: ContentCardsText) -> String {
        guard text == .empty else { return super.localizedString(text) }
        return localizedAppboyContentCardsString(Optional(Self.emptyKey)) ?? super.localizedString(text)
    }

    private static let emptyKey = "Appboy.content-cards.no-card.text"
    private static let texts: [String: ContentCardsText] = [
        emptyKey: .empty, "Appboy.content-cards.no-connection.message": .noConnection,
    ]

    /// Logs that the feed is displayed, once for each time that it comes to the screen.
    open override func viewDidAppear(_ animated: Bool) {
        let wasOnScreen = isOnScreen
        super.viewDidAppear(animated)
        guard !wasOnScreen else { return }
        (source as? ABKFeedSource)?.instance?.logContentCardsDisplayed()
    }
}

@nonobjc
extension ABKContentCardsTableViewController: ContentCardsTableViewControllerDelegate {
    /// Asks the delegate of the documented name.
    public func contentCardTableViewController(
        _ viewController: ContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool {
        delegate?.opens(url, in: self) ?? true
    }

    /// Tells the delegate of the documented name.
    public func contentCardTableViewController(
        _ viewController: ContentCardsTableViewController,
        didHandleCardClick url: URL
    ) {
        delegate?.hasOpened(url, in: self)
    }
}
#endif
