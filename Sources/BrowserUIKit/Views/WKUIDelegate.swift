/// Names the frame of a page.
@preconcurrency @MainActor
open class WKFrameInfo: NSObject {
    /// Whether it is the page itself, and no frame in it.
    public let isMainFrame: Bool

    init(isMainFrame: Bool) {
        self.isMainFrame = isMainFrame
        super.init()
    }
}

/// Says how a page wants its window; browsers decide that themselves.
@preconcurrency @MainActor
open class WKWindowFeatures: NSObject {}

/// Holds how a web view is made.
@preconcurrency @MainActor
open class WKWebViewConfiguration: NSObject {
    /// Whether videos play within the page; a browser always lets them.
    ///
    /// The default is `false`, as on a phone.
    open var allowsInlineMediaPlayback = false

    /// Creates the default configuration.
    public override init() {
        super.init()
    }
}

/// Shows what pages ask an app to show, such as windows.
@preconcurrency @MainActor
public protocol WKUIDelegate: NSObjectProtocol {
    /// Returns the web view for a window that a page opens; `nil` opens none. Browsers open windows themselves.
    func webView(
        _ webView: WKWebView,
        createWebViewWith configuration: WKWebViewConfiguration,
        for navigationAction: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView?
}

extension WKUIDelegate {
    /// Opens none.
    public func webView(
        _ webView: WKWebView,
        createWebViewWith configuration: WKWebViewConfiguration,
        for navigationAction: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView? { nil }
}
