#if !os(tvOS)
#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit

/// The box of a card, which says what shape its shadow has: finding that out would cost a pass for each frame that is
/// drawn.
final class CardBox: UIView {
    override func layoutSubviews() {
        super.layoutSubviews()
        layer.shadowPath = UIBezierPath(roundedRect: bounds, cornerRadius: layer.cornerRadius).cgPath
    }
}
#else
import BrowserUIKit

/// The box of a card; browsers know what shape its shadow has.
final class CardBox: UIView {}
#endif
#endif
