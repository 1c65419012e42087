#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

extension UIScrollView {
    /// The part of the content that is on screen and under no bar.
    var uncoveredBounds: CGRect {
        CGRect(
            x: bounds.minX,
            y: bounds.minY + safeAreaInsets.top,
            width: bounds.width,
            height: max(bounds.height - safeAreaInsets.top - safeAreaInsets.bottom, 0)
        )
    }
}
