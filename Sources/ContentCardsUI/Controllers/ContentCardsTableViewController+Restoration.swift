#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Restores where the user was in the feed by the cards that were on screen, wherever they are now.
///
/// UIKit asks where the feed, and the controllers around it, have a `restorationIdentifier`.
extension ContentCardsTableViewController: UIDataSourceModelAssociation {
    /// Returns the id of the card in a row.
    public func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? {
        card(at: idx)?.id
    }

    /// Returns the row of the card with an id; `nil` where that is gone.
    public func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        displayedCards.firstIndex { $0.id.hasSameBytes(as: identifier) }.map { IndexPath(row: $0, section: 0) }
    }
}
#endif
