#if canImport(WebKit)
import WebKit
#endif
#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows a message as a web page: that of an address, or of the HTML in the card.
final class WebMessageController: UIViewController {
    private let message: WebViewMessage
    private let web = WKWebView(frame: .zero)

    init(message: WebViewMessage) {
        self.message = message
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        switch message.content {
        case .url(let url):
            view.fill(with: web)
            web.load(URLRequest(url: url))
        case .html:
            view.fill(with: web)
            showHTML()
        case .nothing:
            view.fill(with: EmptyView(icon: "messages-large", title: "Nothing to show", text: "This message is empty."))
        }
    }

    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        if traitCollection.hasDifferentColorAppearance(comparedTo: previousTraitCollection) { showHTML() }
    }

    /// Lets a message without a style of its own look like the app.
    private func showHTML() {
        guard case .html(let html) = message.content else { return }
        let isDark = traitCollection.userInterfaceStyle == .dark
        let head = """
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style>
            :root { color-scheme: \(isDark ? "dark" : "light"); background: \(isDark ? "#000" : "#fff"); }
            body { font: 17px/1.5 -apple-system, Inter, "Helvetica Neue", Arial, sans-serif; margin: 20px; }
            </style>

            """
        web.loadHTMLString(head + html, baseURL: nil)
    }
}
