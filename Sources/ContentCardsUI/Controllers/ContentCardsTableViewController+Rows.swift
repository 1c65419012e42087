#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

extension ContentCardsTableViewController {
    // MARK: Cells

    /// Has a cell show a card, as the feed is set up.
    func prepare(_ cell: ContentCardCell, for card: ContentCard) {
        var cellAttributes = attributes.card
        if maxContentCardWidth > 0 { cellAttributes.maxWidth = maxContentCardWidth }
        cell.attributes = cellAttributes
        cell.hideUnreadIndicator = disableUnreadIndicator
        cell.isActionable = isActionable(card)
        if let imageLoader { cell.imageLoader = imageLoader }
        cell.onSizeChange = { [weak self] in self?.resize($0) }
        cell.onDelete = { [weak self] cell in
            guard let self, let path = self.tableView.indexPath(for: cell) else { return }
            dismissCard(at: path)
        }
        var shown = card
        shown.isViewed = marks.looksViewed(card.id, isViewed: card.isViewed)
        cell.apply(shown)
    }

    /// Begins to load the images of cards, in the size in which their cells show them.
    func prefetchImages(of cards: [ContentCard]) {
        let widest = maxContentCardWidth > 0 ? maxContentCardWidth : attributes.card.maxWidth
        for card in cards {
            guard card.isPresentable, let url = card.imageURL else { continue }
            let points = CardCellIdentifier(for: card).descriptor.imageSide ?? widest
            let width = CardImageLoader.pixels(points, scale: traitCollection.displayScale)
            (imageLoader ?? .shared).prefetch(url, width: width)
        }
    }

    /// An image has turned out to be of another shape.
    ///
    /// Changes of one row's height need no reload of the others.
    package func resize(_ cell: ContentCardCell) {
        guard tableView.indexPath(for: cell) != nil else { return }
        tableView.performBatchUpdates(nil)
        impressions.update()
    }

    /// Whether a click on a card is handled, going by its address and by whether the app is asked.
    func leadsSomewhere(_ card: ContentCard) -> Bool {
        card.isPresentable && CardDestination(of: card).isActionable(asksApp: hooks.asksApp())
    }

    // MARK: Heights

    /// The height of control cards: the smallest slot that can be on screen.
    var slotHeight: CGFloat { 1 / max(traitCollection.displayScale, 1) }

    var heightConditions: RowHeights.Conditions {
        let size = traitCollection.preferredContentSizeCategory.rawValue
        return RowHeights.Conditions(width: tableView.bounds.width, textSize: size)
    }

    /// Takes note of how high the rows on screen are.
    func noteHeights() {
        guard isOnScreen, tableView.numberOfRows(inSection: 0) == displayedCards.count else { return }
        for path in tableView.indexPathsForVisibleRows ?? [] {
            guard let card = card(at: path), card.isPresentable else { continue }
            heights.note(tableView.rectForRow(at: path).height, of: card.identity, under: heightConditions)
        }
    }

    // MARK: Around the rows

    func styleEmptyFeedLabel() {
        emptyFeedLabel.font = .preferredFont(forTextStyle: .body)
        emptyFeedLabel.adjustsFontForContentSizeCategory = true
        emptyFeedLabel.numberOfLines = 0
        emptyFeedLabel.textAlignment = .center
    }

    func setUpRetryButton() {
        retryButton.titleLabel?.font = .preferredFont(forTextStyle: .body)
        retryButton.titleLabel?.adjustsFontForContentSizeCategory = true
        retryButton.addAction(UIAction { [weak self] _ in self?.refreshCards(.manual) }, for: .touchUpInside)
    }

    /// Puts what an empty feed shows in the middle of its view.
    func layOutEmptyFeedView() {
        let stack = UIStackView(arrangedSubviews: [loadingIndicator, emptyFeedLabel, retryButton] as [UIView])
        stack.axis = .vertical
        stack.alignment = .center
        stack.spacing = 16
        stack.translatesAutoresizingMaskIntoConstraints = false
        emptyFeedView.addSubview(stack)
        let guide = emptyFeedView.layoutMarginsGuide
        NSLayoutConstraint.activate([
            stack.leadingAnchor.constraint(equalTo: guide.leadingAnchor),
            stack.trailingAnchor.constraint(equalTo: guide.trailingAnchor),
            stack.centerYAnchor.constraint(equalTo: emptyFeedView.centerYAnchor),
        ])
    }

    /// Adds the control that refreshes the feed, or takes it away, as the attributes say.
    func applyPullToRefresh() {
        if attributes.pullToRefresh, refreshControl == nil {
            let control = UIRefreshControl()
            control.addAction(UIAction { [weak self] _ in self?.pulled() }, for: .valueChanged)
            refreshControl = control
        } else if !attributes.pullToRefresh {
            refreshControl = nil
        }
    }

    /// Forces the light style where the feed isn't allowed to be dark.
    func applyTheme() {
        if !enableDarkTheme {
            overrideUserInterfaceStyle = .light
            isThemeForced = true
        } else if isThemeForced {
            overrideUserInterfaceStyle = .unspecified
            isThemeForced = false
        }
    }
}
#endif
