#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

extension UIViewController {
    /// Whether the user can see the app: in the background, views stay in their windows.
    var isInForeground: Bool {
        guard let state = viewIfLoaded?.window?.windowScene?.activationState else { return true }
        return state == .foregroundActive || state == .foregroundInactive
    }
}
