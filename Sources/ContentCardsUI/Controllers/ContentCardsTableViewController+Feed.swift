#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

extension ContentCardsTableViewController {
    // MARK: Cards

    func observe() {
        guard updatesTask == nil else { return }
        let updates = source.updates
        updatesTask = Task { [weak self] in
            for await _ in updates {
                guard !Task.isCancelled else { return }
                self?.feedChanged()
            }
        }
    }

    /// Takes a feed that has come: a failure of before is over.
    func feedChanged() {
        if source.feed.lastSync != nil, refreshTask == nil { hasFailed = false }
        showFeed()
    }

    /// Takes the cards again, and changes the rows that differ: where none does, the table and VoiceOver stay as they
    /// are.
    ///
    /// What this feed logged itself changes no row: the bar of a fresh card has to stay where it is.
    func showFeed() {
        guard isViewLoaded else { return }
        noteUser()
        // Asking for the number lets the table count the old rows, if it has not yet.
        let isInStep = tableView.numberOfRows(inSection: 0) == displayedCards.count
        let old = displayedCards
        populateContentCards()
        updateStatus()
        defer { impressions.update() }
        let change = RowChange(from: old, to: displayedCards)
        guard isInStep, let change, isOnScreen || change.isEmpty else { return tableView.reloadData() }
        if !change.isEmpty { show(change) }
        endMarks()
        announce(change)
    }

    /// Begins a new presentation for another user, whose cards may have the IDs of those before.
    private func noteUser() {
        guard let user = source.feed.userID.map(BytewiseText.init(_:)), user != shownUser else { return }
        shownUser = user
        marks = UnreadMarks()
        impressions.beginPresentation()
        if !isOnScreen { impressions.pause() }
    }

    /// Takes away the bars of cards that are no longer fresh, in the cells that stay.
    private func endMarks() {
        for case let cell as ContentCardCell in tableView.visibleCells {
            guard !cell.isViewed, let path = tableView.indexPath(for: cell), let card = card(at: path) else { continue }
            if marks.looksViewed(card.id, isViewed: card.isViewed) { cell.setViewed(true) }
        }
    }

    /// Tells people who do not see the screen that cards have come.
    private func announce(_ change: RowChange) {
        let inserted = change.inserted.compactMap { card(at: IndexPath(row: $0, section: 0)) }
        let count = inserted.count(where: \.isPresentable)
        guard count > 0 else { return }
        announce(ContentCardsText.newCards(count, languages: traitCollection.languages))
    }

    private func show(_ change: RowChange) {
        tableView.performBatchUpdates { [tableView, rowAnimation] in
            guard let tableView else { return }
            tableView.deleteRows(at: change.removed.map { IndexPath(row: $0, section: 0) }, with: rowAnimation)
            tableView.insertRows(at: change.inserted.map { IndexPath(row: $0, section: 0) }, with: rowAnimation)
        }
    }

    /// Takes the cards again, and shows them.
    func reload() {
        guard isViewLoaded else { return }
        populateContentCards()
        tableView.reloadData()
        updateStatus()
        impressions.update()
    }

    func updateStatus() {
        let status = FeedStatus(
            hasCards: displayedCards.contains(where: \.isPresentable),
            isRefreshing: refreshTask != nil,
            hasSynced: source.feed.lastSync != nil,
            hasFailed: hasFailed
        )
        let message = attributes.emptyStateMessage ?? localizedString(.empty)
        emptyFeedLabel.text = status == .failed ? localizedString(.failed) : message
        emptyFeedLabel.isHidden = status == .loading
        retryButton.setTitle(localizedString(.retry), for: .normal)
        retryButton.isHidden = status != .failed
        loadingIndicator.accessibilityLabel = localizedString(.loading)
        if status == .loading { loadingIndicator.startAnimating() } else { loadingIndicator.stopAnimating() }
        loadingIndicator.isHidden = status != .loading
        tableView.backgroundView = status == .cards ? nil : hooks.placeholder(status) ?? emptyFeedView
    }

    // MARK: Refresh

    func pulled() {
        let visible = (tableView.indexPathsForVisibleRows ?? []).compactMap { card(at: $0)?.id }
        marks.refreshed(visible: visible)
        refreshCards(.pulled)
    }

    /// Asks for new cards.
    ///
    /// Whatever happens, the control stops turning within `refreshTimeout`.
    func refreshCards(_ reason: SyncReason) {
        refreshNumber += 1
        let number = refreshNumber
        refreshTask?.cancel()
        refreshTask = Task { [weak self, source, clock, attributes] in
            let isDone = await Self.refresh(source, reason, clock: clock, timeout: attributes.refreshTimeout)
            guard let self, refreshNumber == number else { return }
            refreshTask = nil
            hasFailed = !isDone
            if !isDone, reason != .feedOpened { announce(localizedString(.failed)) }
            refreshControl?.endRefreshing()
            showFeed()
        }
        updateStatus()
    }

    /// Whether the last sync is young enough for a feed that is opened.
    var isFresh: Bool {
        guard let lastSync = source.feed.lastSync else { return false }
        return abs(clock.now.timeIntervalSince(lastSync)) <= cacheTimeout
    }

    /// An exhausted budget is no failure where there was an answer before: the cards are as fresh as the server allows.
    private static func refresh(
        _ source: any CardFeedSource,
        _ reason: SyncReason,
        clock: any ContentCardsClock,
        timeout: TimeInterval
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do throws(ContentCardsError) {
                    try await source.refresh(reason)
                    return true
                } catch {
                    return error.code == .rateLimited && source.feed.lastSync != nil
                }
            }
            group.addTask {
                try? await clock.sleep(for: timeout)
                return false
            }
            let isDone = await group.next() ?? false
            group.cancelAll()
            return isDone
        }
    }

    /// Stops following cards and what is seen.
    func leftScreen() {
        if isOnScreen { keepPlace() }
        isOnScreen = false
        impressions.pause()
        updatesTask?.cancel()
        updatesTask = nil
        for card in displayedCards { marks.left(card.id) }
    }

    /// Looks again at what is seen, and says where the user is: the app may end in the background.
    func sceneChanged() {
        if isOnScreen { keepPlace() }
        impressions.update()
    }

    // MARK: Impressions

    /// The cards of which enough is on screen to count: none while the app is in the background, where a push may bring
    /// some.
    func visibleCards() -> [ContentCard] {
        guard isOnScreen, isViewLoaded, let window = tableView.window, window.isInForeground else { return [] }
        let bounds = uncoveredBounds
        return (tableView.indexPathsForVisibleRows ?? []).compactMap { path in
            guard let card = card(at: path), card.isControl || card.isPresentable else { return nil }
            let rect = tableView.rectForRow(at: path)
            return ImpressionTracker.isVisible(rect, isControl: card.isControl, in: bounds) ? card : nil
        }
    }

    func sawCard(id: String) {
        guard let card = displayedCards.first(where: { $0.id.hasSameBytes(as: id) }) else { return }
        marks.saw(id, wasViewed: card.isViewed, isControl: card.isControl)
        source.logImpression(card)
    }

    // MARK: Clicks

    func click(_ card: ContentCard) {
        let destination = CardDestination(of: card)
        guard let url = destination.url else { return handleClickWithoutAddress(card) }
        source.logClick(card, customAction: false)
        guard clickDelegate?.contentCardTableViewController(self, shouldHandleCardClick: url) ?? true else { return }
        if hooks.opens(card) || urlHandler?(url, card) == true { return }
        open(destination)
        clickDelegate?.contentCardTableViewController(self, didHandleCardClick: url)
    }

    func choseCard(at indexPath: IndexPath) {
        guard let card = card(at: indexPath), card.isPresentable else { return }
        impressions.touch(card.id)
        handleCardClick(card)
        marks.left(card.id)
        (tableView.cellForRow(at: indexPath) as? ContentCardCell)?.setViewed(true)
    }

    /// A card that leads nowhere is clicked only where the app does something with it.
    func handleClickWithoutAddress(_ card: ContentCard) {
        guard CardDestination(of: card) == .nowhere, card.isPresentable, hooks.opens(card) else { return }
        source.logClick(card, customAction: true)
    }

    func open(_ destination: CardDestination) {
        switch destination {
        case .nowhere, .refused: return
        case .webView(let url): showPage(url)
        case .system(let url):
            if let openURL = hooks.openURL { return openURL(url) }
            view.window?.windowScene?.open(url, options: nil, completionHandler: nil)
        }
    }

    /// Pushes the page, or presents it where there is nothing to push on, and where something lies over that: nobody
    /// would see the page there.
    private func showPage(_ url: URL) {
        let page = makeWebViewController(for: url)
        let front = frontController
        // A search is presented, too, and what it finds is pushed under it.
        if let navigationController, front === self || front is UISearchController {
            isShowingPage = true
            page.showDoneButton = navigationItem.rightBarButtonItem != nil
            navigationController.pushViewController(page, animated: true)
        } else {
            page.present(over: self)
        }
    }

    /// Returns whether any part of a card is on screen: cells also come and go while they are reloaded.
    func isVisible(_ id: String) -> Bool {
        guard let row = displayedCards.firstIndex(where: { $0.id.hasSameBytes(as: id) }) else { return false }
        let rect = tableView.rectForRow(at: IndexPath(row: row, section: 0))
        return rect.intersects(uncoveredBounds)
    }

    /// The part of the rows that is on screen and under no bar: cards that go on under one aren't seen there.
    private var uncoveredBounds: CGRect {
        let (bounds, bars) = (tableView.bounds, tableView.safeAreaInsets)
        // safe: these are lengths on a screen, and no whole numbers
        let (top, height) = (bounds.minY + bars.top, bounds.height - bars.top - bars.bottom)
        return CGRect(x: bounds.minX, y: top, width: bounds.width, height: max(height, 0))
    }

    func card(at indexPath: IndexPath) -> ContentCard? {
        displayedCards.indices.contains(indexPath.row) ? displayedCards[indexPath.row] : nil
    }

    /// Dismisses a card, and takes its row away.
    func dismissCard(at indexPath: IndexPath) {
        guard let card = card(at: indexPath), card.isDismissible, !card.isControl else { return }
        displayedCards.remove(at: indexPath.row)
        marks.left(card.id)
        tableView.deleteRows(at: [indexPath], with: rowAnimation)
        source.logDismissal(card)
        updateStatus()
        impressions.update()
    }
}
#endif
