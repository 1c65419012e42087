#if !os(tvOS)
#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

extension UIBarButtonItem {
    /// Returns the system's Done button, which dismisses what a controller is presented in.
    package static func done(dismissing controller: UIViewController) -> UIBarButtonItem {
        UIBarButtonItem(
            systemItem: .done,
            primaryAction: UIAction { [weak controller] _ in controller?.dismiss(animated: true) }
        )
    }
}
#endif
