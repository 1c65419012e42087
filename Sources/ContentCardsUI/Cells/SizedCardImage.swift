#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows the image of a card, whose height follows from its ratio: that of the card until the image is loaded, its own
/// afterwards.
@MainActor
package final class SizedCardImage {
    /// The slot in which the image is shown.
    package let slot: CardImageSlot
    /// Shows the image.
    package var view: CardImageView { slot.loading }
    /// Keeps the height; another one takes its place when the ratio changes.
    package var constraint: NSLayoutConstraint?
    /// A closure that is told of the size of an image that is now shown.
    package var onImage: (@MainActor (CGSize) -> Void)?
    private(set) var ratio = ImageRatio(1)
    private weak var cell: ContentCardCell?

    /// Creates an empty image, with a view that may be of the app's own class.
    package init(_ view: CardImageView = CardImageView(frame: .zero)) {
        slot = CardImageSlot(view)
    }

    /// Puts the image into the box of a cell, which tells the table when its height has changed.
    package func add(to cell: ContentCardCell) {
        self.cell = cell
        slot.view.translatesAutoresizingMaskIntoConstraints = false
        cell.clippingView.addSubview(slot.view)
        set(ImageRatio(1))
        slot.onImage = { [weak self, weak cell] size in
            guard let self else { return }
            onImage?(size)
            guard let cell, set(ImageRatio(size)) else { return }
            cell.onSizeChange?(cell)
        }
    }

    /// Lets the image fill the box of a cell.
    package func fill(_ cell: ContentCardCell) {
        add(to: cell)
        NSLayoutConstraint.activate(ContentCardCell.pin(slot.view, to: cell.clippingView))
        cell.raiseMarks()
    }

    /// Shows the image of a card, in the ratio that the card brings, or in its own where it is there already.
    package func show(_ card: ContentCard, from loader: CardImageLoader) {
        if !view.shows(card.imageURL) { set(ImageRatio(card.imageAspectRatio)) }
        if let cell { view.greatestWidth = cell.maxCardWidth }
        view.show(card.imageURL, from: loader)
    }

    /// Returns whether the height has changed.
    @discardableResult
    private func set(_ new: ImageRatio) -> Bool {
        guard constraint == nil || new.differs(from: ratio) else { return false }
        ratio = new
        constraint?.isActive = false
        let height = slot.view.heightAnchor.constraint(equalTo: slot.view.widthAnchor, multiplier: 1 / new.value)
        height.priority = .defaultHigh
        height.isActive = true
        constraint = height
        return true
    }
}
#endif
