#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Remembers where the user is in the feed, for SwiftUI: UIKit asks by `UIDataSourceModelAssociation`.
extension ContentCardsTableViewController {
    /// The id of the card at the top of the screen; `nil` at the top of the feed, where a restored one shows what is
    /// new.
    var place: String? {
        guard isViewLoaded, let tableView else { return nil }
        let path = (tableView.indexPathsForVisibleRows ?? []).first { tableView.rectForRow(at: $0).maxY > visibleTop }
        guard let path, path.row > 0 else { return nil }
        return card(at: path)?.id
    }

    /// Tells whoever keeps it where the user is, before the feed or the app goes.
    func keepPlace() {
        if hooks.wantedPlace == nil { hooks.keepPlace(place) }
    }

    /// Goes to where the user was, once there are rows that have a size: a card that is gone by then changes nothing.
    func restorePlace() {
        guard let wanted = hooks.wantedPlace, let tableView, tableView.bounds.height > 0 else { return }
        guard displayedCards.contains(where: \.isPresentable) else { return }
        hooks.wantedPlace = nil
        guard let path = indexPathForElement(withModelIdentifier: wanted, in: tableView) else { return }
        tableView.scrollToRow(at: path, at: .top, animated: false)
    }

    /// The position at which rows come out from under the bar, and half a point more: offsets are rounded to pixels.
    private var visibleTop: CGFloat {
        // safe: these are lengths on a screen, and no whole numbers
        (tableView?.bounds.minY ?? 0) + (tableView?.safeAreaInsets.top ?? 0) + 0.5
    }
}
#endif
