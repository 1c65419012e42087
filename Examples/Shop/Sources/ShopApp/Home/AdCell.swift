#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows one ad of the home page.
final class AdCell: CollectionCell {
    private let picture = PictureView(frame: .zero)

    /// Returns the height of an ad of that width; on wide screens it is cut off above and below.
    static func height(forWidth width: CGFloat) -> CGFloat { min((width / 394 * 100).rounded(), 130) }

    override func setUp() {
        contentView.layer.cornerRadius = 16
        contentView.layer.cornerCurve = .continuous
        contentView.clipsToBounds = true
        contentView.fill(with: picture)
        accessibilityTraits = .image
    }

    func show(_ ad: Ad) {
        picture.show(ad.image)
        // A picture without a text says nothing.
        isAccessibilityElement = !ad.text.isEmpty
        accessibilityLabel = ad.text
        accessibilityIdentifier = "ad"
    }
}
