// The views may be replaced by an app's own, as outlets are.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if !os(tvOS)
import ContentCards
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
///
/// It shows http and https alone; other addresses go to the system, and those that
/// would run or read something go nowhere. What a page opens in a new window takes the page's place.
#if canImport(ObjectiveC)
@objcMembers
#endif
open class ContentCardsWebViewController: UIViewController, WKNavigationDelegate, WKUIDelegate {
    /// The address that was asked for.
    ///
    /// It does not follow the pages that the user goes to. Set it before display.
    open var url: URL!
    /// Shows the page.
    open lazy var webView: WKWebView! = makeWebView()
    /// Shows how far loading has come.
    open lazy var progressBar: UIProgressView! = makeProgressBar()
    /// Whether there is a Done button, which dismisses the feed too.
    ///
    /// The default is `false`. Set it before display.
    open var showDoneButton = false
    /// Whether the process of the page has ended since a page was shown.
    private var hasTerminated = false
    private let errorLabel = UILabel()
    private let retryButton = UIButton(type: .system)
    private let errorView = UIStackView()
    #if canImport(WebKit) && canImport(ObjectiveC)
    private var progressObservation: NSKeyValueObservation?
    #endif

    /// Creates a controller for an address.
    public init(url: URL) {
        self.url = url
        super.init(nibName: nil, bundle: nil)
    }

    /// Creates a controller of a storyboard, whose ``url`` is to be set before display, or is restored.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Makes the view for the page, in which videos play in their place.
    ///
    /// Override it to configure another.
    open func makeWebView() -> WKWebView {
        let configuration = WKWebViewConfiguration()
        configuration.allowsInlineMediaPlayback = true
        return WKWebView(frame: .zero, configuration: configuration)
    }

    /// Makes the bar that shows how far loading has come.
    open func makeProgressBar() -> UIProgressView {
        let bar = UIProgressView(progressViewStyle: .bar)
        bar.alpha = 0
        return bar
    }

    /// Places the bar that shows how far loading has come: under the bar above the page.
    open func layOutProgressBar() {
        progressBar.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(progressBar)
        NSLayoutConstraint.activate([
            progressBar.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
            progressBar.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            progressBar.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        ])
    }

    /// Returns what is shown where the page could not be loaded.
    open func noConnectionMessage() -> String {
        ContentCardsText.noConnection.text(languages: traitCollection.languages)
    }

    /// Makes the Done button.
    open func makeDoneBarButtonItem() -> UIBarButtonItem { .done(dismissing: self) }

    /// Lays out page and progress, and begins to load.
    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        if showDoneButton { navigationItem.rightBarButtonItem = makeDoneBarButtonItem() }
        layOut()
        webView.navigationDelegate = self
        if webView.uiDelegate == nil { webView.uiDelegate = self }
        observeProgress()
        load()
    }

    private func load() {
        guard let url, !CardDestination.isRefused(url) else {
            showError()
            retryButton.isHidden = true
            return
        }
        errorView.isHidden = true
        webView.isHidden = false
        showProgress(0.1)
        webView.load(URLRequest(url: url))
    }

    private func layOut() {
        errorLabel.numberOfLines = 0
        errorLabel.textAlignment = .center
        errorLabel.font = .preferredFont(forTextStyle: .body)
        errorLabel.adjustsFontForContentSizeCategory = true
        retryButton.titleLabel?.font = .preferredFont(forTextStyle: .body)
        retryButton.titleLabel?.adjustsFontForContentSizeCategory = true
        retryButton.addAction(UIAction { [weak self] _ in self?.load() }, for: .touchUpInside)
        errorView.addArrangedSubview(errorLabel)
        errorView.addArrangedSubview(retryButton)
        errorView.axis = .vertical
        errorView.alignment = .center
        errorView.spacing = 16
        errorView.isHidden = true
        for view in [webView, errorView] as [UIView] {
            view.translatesAutoresizingMaskIntoConstraints = false
            self.view.addSubview(view)
        }
        layOutProgressBar()
        NSLayoutConstraint.activate(ContentCardCell.pin(webView, to: view))
        NSLayoutConstraint.activate([
            errorView.centerYAnchor.constraint(equalTo: view.centerYAnchor),
            errorView.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
            errorView.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
        ])
    }

    #if canImport(WebKit) && canImport(ObjectiveC)
    private func observeProgress() {
        progressObservation = webView.observe(\.estimatedProgress) { [weak self] webView, _ in
            MainActor.assumeIsolated { self?.showProgress(webView.estimatedProgress) }
        }
    }
    #else
    /// Browsers tell nothing of how far a frame has come.
    private func observeProgress() {}
    #endif

    private func showProgress(_ progress: Double) {
        progressBar.setProgress(Float(progress), animated: true)
        if progress < 1 {
            progressBar.alpha = 1
        } else {
            UIView.animate(withDuration: 1) { self.progressBar.alpha = 0 }
        }
    }

    private func showError() {
        progressBar.alpha = 0
        errorLabel.text = noConnectionMessage()
        retryButton.setTitle(ContentCardsText.retry.text(languages: traitCollection.languages), for: .normal)
        errorView.isHidden = false
        webView.isHidden = true
        announce(errorLabel.text ?? "")
    }

    // MARK: Restoration

    private static let addressKey = "ContentCardsUI.page"

    /// Writes the address that was asked for.
    open override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(url.map { $0.absoluteString as NSString }, forKey: Self.addressKey)
    }

    /// Reads the address, and loads it where the page is on screen already; it has to be one of the web.
    open override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        let text = coder.decodeObject(of: NSString.self, forKey: Self.addressKey)
        guard let text, let url = URL(string: text as String), CardDestination.isWeb(url) else { return }
        self.url = url
        if isViewLoaded { load() }
    }

    // MARK: WKNavigationDelegate

    /// Lets web pages in, hands other addresses to the system, and lets the rest go nowhere.
    ///
    /// A frame in a page is none of the user's choice: what it leads to never leaves the app.
    open func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        guard let target = navigationAction.request.url else { return decisionHandler(.cancel) }
        if let frame = navigationAction.targetFrame, !frame.isMainFrame {
            return decisionHandler(CardDestination.belongsInFrame(target) ? .allow : .cancel)
        }
        guard !CardDestination.isRefused(target) else { return decisionHandler(.cancel) }
        guard CardDestination.belongsToSystem(target) else { return decisionHandler(.allow) }
        decisionHandler(.cancel)
        view.window?.windowScene?.open(target, options: nil) { [weak self] isTaken in
            if isTaken { self?.leave() }
        }
    }

    /// Goes back to what the page was opened from: it was pushed, or presented.
    private func leave() {
        if let navigationController, navigationController.viewControllers.first !== self {
            navigationController.popViewController(animated: false)
        } else {
            presentingViewController?.dismiss(animated: false)
        }
    }

    /// Hides the progress.
    open func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
        errorView.isHidden = true
        webView.isHidden = false
        hasTerminated = false
        showProgress(1)
    }

    /// Keeps what has come of a page that breaks off, and hides the progress.
    open func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {
        progressBar.alpha = 0
    }

    /// Loads the page again whose process has ended, as in the background for want of memory; one that ends it at once
    /// again is not loaded a third time.
    open func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        guard !hasTerminated else { return showError() }
        hasTerminated = true
        webView.reload()
    }

    /// Says that there is no connection, unless it was the app or the user who ended the loading.
    open func webView(
        _ webView: WKWebView,
        didFailProvisionalNavigation navigation: WKNavigation!,
        withError error: any Error
    ) {
        let code = (error as NSError).code
        // A page that another one takes the place of, and one that the policy has handed to the system.
        guard code != NSURLErrorCancelled, code != 102 else { return }
        showError()
    }

    // MARK: WKUIDelegate

    /// Shows what is meant for a new window in place of the page.
    open func webView(
        _ webView: WKWebView,
        createWebViewWith configuration: WKWebViewConfiguration,
        for navigationAction: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView? {
        if navigationAction.targetFrame == nil { webView.load(navigationAction.request) }
        return nil
    }
}

extension ContentCardsWebViewController {
    /// Presents the page with a Done button, in front of what a controller presents already.
    func present(over controller: UIViewController) {
        showDoneButton = true
        controller.frontController.present(UINavigationController(rootViewController: self), animated: true)
    }
}

extension UIViewController {
    /// The controller in front of this one: one that presents another already presents no second.
    var frontController: UIViewController {
        var front = self
        while let next = front.presentedViewController, !next.isBeingDismissed { front = next }
        return front
    }
}
#endif
