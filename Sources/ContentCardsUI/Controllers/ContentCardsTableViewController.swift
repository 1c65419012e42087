// The views of an empty feed may be replaced by an app's own, as outlets are.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows a feed of cards: push it, or present it in a ``ContentCardsViewController``.
#if canImport(ObjectiveC)
@objcMembers
#endif
open class ContentCardsTableViewController: UITableViewController, UITableViewDataSourcePrefetching {
    /// The source of the cards.
    public let source: any CardFeedSource
    /// Tells the time, for what waits.
    public let clock: any ContentCardsClock
    /// The look of the feed.
    ///
    /// It can be set at any time.
    open var attributes: ContentCardsAttributes { didSet { if !isFollowing { applyAttributes() } } }
    /// Decides and hears about clicks.
    open weak var clickDelegate: (any ContentCardsTableViewControllerDelegate)?
    /// Opens addresses in place of the feed: returns whether the app has taken it.
    ///
    /// It is asked once for each address, after the delegate.
    open var urlHandler: (@MainActor (URL, ContentCard) -> Bool)?
    /// The cards that are shown, control cards included.
    ///
    /// Set them in ``populateContentCards()`` alone.
    open var displayedCards: [ContentCard] = []
    /// Whether no card shows the bar of unread cards.
    ///
    /// The default is `false`. It can be set at any time.
    open var disableUnreadIndicator = false { didSet { if disableUnreadIndicator != oldValue { reload() } } }
    /// The number of seconds since the last sync after which an opened feed asks for new cards.
    ///
    /// The default is 60.
    open var cacheTimeout: TimeInterval = 60
    /// The greatest width of cards, in points; 0, the default, leaves it to the attributes.
    open var maxContentCardWidth: CGFloat = 0 { didSet { if maxContentCardWidth != oldValue { reload() } } }
    /// Loads the images of the feed; `nil`, the default, leaves it to the cells, which take the shared loader.
    open var imageLoader: CardImageLoader?
    /// Whether the feed may be dark.
    ///
    /// The default is `true`. It can be set at any time.
    open var enableDarkTheme = true { didSet { if isViewLoaded { applyTheme() } } }
    /// Lies behind the cards when there are none.
    open var emptyFeedView: UIView! = UIView()
    /// Says that there are no cards.
    open var emptyFeedLabel: UILabel! = UILabel()
    /// Tries again where the cards could not be loaded.
    public let retryButton = UIButton(type: .system)
    /// Turns while the first cards are on their way.
    public let loadingIndicator = UIActivityIndicatorView(style: .large)

    lazy var impressions = ImpressionObserver(
        clock: clock,
        visible: { [weak self] in self?.visibleCards().map(\.id) ?? [] },
        onImpression: { [weak self] in self?.sawCard(id: $0) }
    )
    /// The user whose cards were shown last.
    var shownUser: BytewiseText?
    var sceneObservers: SceneObservers?
    var marks = UnreadMarks()
    var heights = RowHeights()
    var (updatesTask, refreshTask): (Task<Void, Never>?, Task<Void, Never>?)
    var refreshNumber = 0
    /// Whether the feed has appeared and not disappeared since.
    package var isOnScreen = false
    var (isShowingPage, hasFailed) = (false, false)
    /// Take the place of what the feed does by itself.
    var hooks = FeedHooks()
    /// Whether the attributes are being set to what looks the same, and whether the feed has set the style itself.
    var (isFollowing, isThemeForced) = (false, false)

    /// Creates a feed.
    ///
    /// - Parameters:
    ///   - source: where the cards come from, as a rule a ``ContentCards/ContentCardsClient``.
    ///   - attributes: how it looks; the defaults are shared by all feeds.
    ///   - clock: tells the time; only tests need another.
    public init(
        source: any CardFeedSource,
        attributes: ContentCardsAttributes? = nil,
        clock: any ContentCardsClock = SystemClock()
    ) {
        self.source = source
        self.clock = clock
        self.attributes = attributes ?? .defaults
        super.init(style: .plain)
        setUp()
        setUpUI()
    }

    /// A feed needs a source, which no storyboard gives: this returns `nil`, `init(coder:source:attributes:)` a feed.
    public required init?(coder: NSCoder) {
        nil
    }

    /// Creates a feed of a storyboard, in a segue action or the creator of
    /// `instantiateViewController(identifier:creator:)`.
    public init?(coder: NSCoder, source: any CardFeedSource, attributes: ContentCardsAttributes? = nil) {
        self.source = source
        clock = SystemClock()
        self.attributes = attributes ?? .defaults
        super.init(coder: coder)
        setUp()
        setUpUI()
    }

    deinit {
        updatesTask?.cancel()
        refreshTask?.cancel()
    }

    // MARK: Override points

    /// Prepares the feed, before anything is laid out.
    open func setUp() {}

    /// Lays out what the feed shows besides cards.
    open func setUpUI() {
        setUpEmptyFeedLabel()
        setUpEmptyFeedView()
    }

    /// Prepares the label of an empty feed.
    open func setUpEmptyFeedLabel() {
        styleEmptyFeedLabel()
    }

    /// Lays out what lies behind the cards when there are none.
    open func setUpEmptyFeedView() {
        setUpRetryButton()
        layOutEmptyFeedView()
    }

    /// Returns a text in the user's language; the app's own strings win.
    open func localizedString(_ text: ContentCardsText) -> String {
        text.text(languages: traitCollection.languages)
    }

    /// Registers the classes of the cells.
    ///
    /// To use others, call super and register them for the same identifiers: the raw values of ``CardCellIdentifier``.
    open func registerTableViewCellClasses() {
        for identifier in CardCellIdentifier.allCases {
            tableView.register(identifier.cellClass, forCellReuseIdentifier: identifier.rawValue)
        }
    }

    /// Returns the identifier of the cell for a card.
    open func findCellIdentifier(with card: ContentCard) -> String { CardCellIdentifier(for: card).rawValue }

    /// Returns a cell for a card.
    open func dequeueCell(from tableView: UITableView, for indexPath: IndexPath, card: ContentCard) -> ContentCardCell {
        let identifier = findCellIdentifier(with: card)
        let cell = tableView.dequeueReusableCell(withIdentifier: identifier, for: indexPath)
        return cell as? ContentCardCell ?? ControlCardCell(style: .default, reuseIdentifier: nil)
    }

    /// Takes the cards of the feed.
    ///
    /// Override it to show others, by setting ``displayedCards``.
    open func populateContentCards() {
        displayedCards = attributes.transform(source.feed.cards)
    }

    /// Asks for new cards when the last sync is too old; a feed that was never synced counts as old.
    open func requestNewCardsIfTimeout() {
        // The client would not ask again within a minute; a shorter timeout of the app's own counts as its pendingRequest.
        guard isFresh else { return refreshCards(cacheTimeout < 60 ? .manual : .feedOpened) }
        refreshControl?.endRefreshing()
    }

    /// Does what a click on a card asks for: logs it, asks the delegate and the app, and opens the address.
    open func handleCardClick(_ card: ContentCard) {
        click(card)
    }

    /// Returns whether a click on a card does something, as VoiceOver says it.
    ///
    /// Override it where ``handleCardClick(_:)`` does something with cards that have no address.
    open func isActionable(_ card: ContentCard) -> Bool { leadsSomewhere(card) }

    /// Makes the controller of a page that a card leads to, which the feed then pushes or presents.
    open func makeWebViewController(for url: URL) -> ContentCardsWebViewController {
        ContentCardsWebViewController(url: url)
    }

    // MARK: Life

    /// Prepares the table.
    open override func viewDidLoad() {
        super.viewDidLoad()
        applyTheme()
        tableView.separatorStyle = .none
        tableView.estimatedRowHeight = 400
        tableView.prefetchDataSource = self
        tableView.restorationIdentifier = "content-cards"
        sceneObservers = SceneObservers { [weak self] in self?.sceneChanged() }
        registerTableViewCellClasses()
        applyAttributes()
    }

    /// Shows the cards that there are, and asks for new ones where they are old.
    ///
    /// A feed that was on screen all the time goes on as it was: a gesture that would have left it was let go.
    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        guard !isOnScreen else { return }
        observe()
        requestNewCardsIfTimeout()
        showFeed()
    }

    /// Begins to count what is seen.
    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        guard !isOnScreen else { return }
        isOnScreen = true
        if isShowingPage { impressions.resume() } else { impressions.beginPresentation() }
        isShowingPage = false
    }

    /// Stops counting what is seen.
    open override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        leftScreen()
    }

    /// Lays out all rows again for the new size.
    open override func viewWillTransition(
        to size: CGSize,
        with coordinator: any UIViewControllerTransitionCoordinator
    ) {
        super.viewWillTransition(to: size, with: coordinator)
        coordinator.animate(alongsideTransition: nil) { [weak self] _ in self?.reload() }
    }

    /// Looks again at what is seen, after rows have found their places.
    open override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        restorePlace()
        noteHeights()
        impressions.update()
    }

    /// Says everything in the user's new language.
    open override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        guard let previousTraitCollection, previousTraitCollection.languages != traitCollection.languages else {
            return
        }
        updateStatus()
    }

    /// Applies all attributes.
    ///
    /// It is called when they are set.
    open func applyAttributes() {
        guard isViewLoaded else { return }
        tableView.backgroundColor = attributes.backgroundColor
        applyPullToRefresh()
        reload()
    }

    // MARK: Rows

    /// Returns one row a card.
    open override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        displayedCards.count
    }

    /// Returns the cell of a card.
    open override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        guard let card = card(at: indexPath) else { return ControlCardCell(style: .default, reuseIdentifier: nil) }
        let cell = hooks.cell(indexPath, card) ?? dequeueCell(from: tableView, for: indexPath, card: card)
        prepare(cell, for: card)
        return cell
    }

    /// Gives control cards the smallest slot that can be on screen, and others what their content needs.
    open override func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        card(at: indexPath)?.isPresentable == true ? UITableView.automaticDimension : slotHeight
    }

    /// Returns how high the row of a card was, so that the list stays where it is when rows are loaded again.
    open override func tableView(_ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath) -> CGFloat {
        guard let card = card(at: indexPath), card.isPresentable else { return slotHeight }
        return heights.height(of: card.identity, under: heightConditions) ?? tableView.estimatedRowHeight
    }

    /// Returns what a click on a card does; control cards cannot be clicked.
    open override func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool {
        card(at: indexPath)?.isPresentable ?? false
    }

    /// Handles the click on a card.
    open override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        choseCard(at: indexPath)
    }

    /// Ends the freshness of a card that has left the screen.
    open override func tableView(
        _ tableView: UITableView,
        didEndDisplaying cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    ) {
        guard let id = (cell as? ContentCardCell)?.shownCard?.id else { return }
        guard isOnScreen, !isVisible(id) else { return }
        marks.left(id)
    }

    /// Looks again at what is seen.
    open override func scrollViewDidScroll(_ scrollView: UIScrollView) {
        noteHeights()
        impressions.update()
    }

    /// Begins to load the images of cards that will be shown soon.
    open func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
        prefetchImages(of: indexPaths.compactMap(card(at:)))
    }

    /// Returns whether a card can be dismissed.
    open override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        guard let card = card(at: indexPath) else { return false }
        return card.isDismissible && card.isPresentable
    }

    /// Dismisses a card.
    open override func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        if editingStyle == .delete { dismissCard(at: indexPath) }
    }
}
#endif
