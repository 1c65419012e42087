// The documented calls return what they make implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if !os(tvOS)
import ContentCardsUI
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif
#if canImport(WebKit) && canImport(ObjectiveC)
import WebKit
#endif

/// Shows the page that a card leads to.
#if canImport(ObjectiveC)
@objc(ABKContentCardsWebViewController) @objcMembers
#endif
open class ABKContentCardsWebViewController: ContentCardsWebViewController {
    /// Creates a controller, whose ``ContentCardsUI/ContentCardsWebViewController/url`` has to be set before display.
    public convenience init() {
        self.init(url: URL(fileURLWithPath: "/"))
    }

    /// Returns the view for the page.
    ///
    /// Override it to configure another.
    open func getWebView() -> WKWebView! { super.makeWebView() }

    /// Places the bar that shows how far loading has come.
    ///
    /// Override it to set another `progressBar`, and to add that to the view.
    open func setupProgressBar() { super.layOutProgressBar() }

    /// Returns the Done button.
    open func getDoneBarButtonItem() -> UIBarButtonItem! { super.makeDoneBarButtonItem() }

    /// Returns what is shown where the page could not be loaded: the app's own text for
    /// `Appboy.no-connection.message`, where it has one.
    open override func noConnectionMessage() -> String {
        let own = appStrings.localizedString(forKey: Self.messageKey, value: Self.messageKey, table: nil)
        return own == Self.messageKey ? super.noConnectionMessage() : own
    }

    /// The bundle with the app's own texts.
    package var appStrings = Bundle.main
    private static let messageKey = "Appboy.no-connection.message"

    /// Makes the view for the page.
    open override func makeWebView() -> WKWebView { getWebView() ?? super.makeWebView() }

    /// Places the bar that shows how far loading has come.
    open override func layOutProgressBar() { setupProgressBar() }

    /// Makes the Done button.
    open override func makeDoneBarButtonItem() -> UIBarButtonItem {
        getDoneBarButtonItem() ?? super.makeDoneBarButtonItem()
    }
}
#endif
