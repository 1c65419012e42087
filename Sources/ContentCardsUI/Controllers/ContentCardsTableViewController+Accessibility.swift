#if !os(tvOS)
#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit

extension ContentCardsTableViewController {
    /// The animation of rows that come and go: without moving where the user wants less motion.
    var rowAnimation: UITableView.RowAnimation { UIAccessibility.isReduceMotionEnabled ? .fade : .automatic }
}

extension UIViewController {
    /// Has a text read aloud to people who do not see the screen.
    func announce(_ text: String) {
        UIAccessibility.post(notification: .announcement, argument: text)
    }
}
#else
import BrowserUIKit

extension ContentCardsTableViewController {
    /// The animation of rows that come and go: a browser leaves motion out where the user wants less.
    var rowAnimation: UITableView.RowAnimation { .automatic }
}

extension UIViewController {
    /// Has a text read aloud to people who do not see the screen.
    func announce(_ text: String) {
        view.window?.announce(text)
    }
}
#endif
#endif
