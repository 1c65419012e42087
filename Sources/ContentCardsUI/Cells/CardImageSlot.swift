#if !os(tvOS)
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows an image in the view that a cell brings, or in one that an app has put in its place.
@MainActor
package final class CardImageSlot {
    /// Shows the image.
    ///
    /// Where the app has brought a view of another class, the image is loaded beside it and handed on.
    package var view: UIImageView { didSet { if view !== oldValue { handOn() } } }
    /// Loads the image: the view itself, or the one that it took the place of.
    package private(set) var loading: CardImageView
    /// A closure that is told of the size of an image that is now shown.
    package var onImage: (@MainActor (CGSize) -> Void)? { didSet { connect() } }

    /// Creates a place for an image, with a view that may be of the app's own class.
    package init(_ view: CardImageView = CardImageView(frame: .zero)) {
        self.view = view
        loading = view
    }

    private func handOn() {
        if let own = view as? CardImageView { loading = own }
        connect()
        if view !== loading { view.image = loading.image }
    }

    private func connect() {
        loading.onImage = { [weak self] size in self?.onImage?(size) }
        loading.onState = { [weak self] state in
            guard let self, view !== loading else { return }
            view.image = state == .loading ? loading.placeholder : loading.image
        }
    }
}
#endif
