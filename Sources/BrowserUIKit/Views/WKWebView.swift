#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

/// Says whether a page may be opened.
public enum WKNavigationActionPolicy: Int, Sendable {
    /// No.
    case cancel = 0
    /// Yes.
    case allow = 1
}

/// Stands for one page being opened.
@preconcurrency @MainActor
open class WKNavigation {
    init() {}
}

/// Says what has led to a page.
public enum WKNavigationType: Int, Sendable {
    /// A link; browsers do not tell of those in a page.
    case linkActivated = 0
    /// The app, by loading again.
    case reload = 3
    /// Anything else, such as the app.
    case other = -1
}

/// Stands for an attempt to open a page.
@preconcurrency @MainActor
open class WKNavigationAction {
    /// The request that is asked for.
    public let request: URLRequest
    /// The frame that is to show it; `nil` for a new window.
    public let targetFrame: WKFrameInfo?
    /// The action that has led to it.
    public let navigationType: WKNavigationType

    init(
        request: URLRequest,
        targetFrame: WKFrameInfo? = WKFrameInfo(isMainFrame: true),
        type: WKNavigationType = .other
    ) {
        self.request = request
        self.targetFrame = targetFrame
        navigationType = type
    }
}

/// Decides and hears about the pages of a web view.
@preconcurrency @MainActor
public protocol WKNavigationDelegate: AnyObject {
    /// Decides about a page, by calling the handler once. Browsers ask for what the app loads, not for links in it.
    func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    )
    /// Is called after a page was loaded.
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)
    /// Is called after a page could not be loaded.
    func webView(
        _ webView: WKWebView,
        didFailProvisionalNavigation navigation: WKNavigation!,
        withError error: any Error
    )
    /// Is called after a page has begun to come, and could not be loaded to its end. Browsers do not tell.
    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error)
    /// Is called after the process that shows the page has ended. Browsers do not tell.
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

extension WKNavigationDelegate {
    /// Allows the page.
    public func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        decisionHandler(.allow)
    }

    /// Does nothing.
    public func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {}

    /// Does nothing.
    public func webView(
        _ webView: WKWebView,
        didFailProvisionalNavigation navigation: WKNavigation!,
        withError error: any Error
    ) {}

    /// Does nothing.
    public func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {}

    /// Does nothing.
    public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {}
}

/// Shows a web page, in a frame of an origin of its own that cannot reach the app.
open class WKWebView: UIView {
    /// The object that decides and hears about pages.
    open weak var navigationDelegate: (any WKNavigationDelegate)?
    /// The object that shows what pages ask for.
    open weak var uiDelegate: (any WKUIDelegate)?
    /// The configuration with which the web view was created.
    public let configuration: WKWebViewConfiguration
    /// The address that is shown.
    open private(set) var url: URL?
    /// The title of the page: `nil`, since a frame does not tell it.
    open var title: String? { nil }
    /// The progress of loading, from 0 to 1.
    open private(set) var estimatedProgress: Double = 0
    private var html: String?
    private var loadNumber = 0
    private var unchecked: URL?
    private var hasFailed = false

    /// Creates a web view with the default configuration.
    public override init(frame: CGRect) {
        configuration = WKWebViewConfiguration()
        super.init(frame: frame)
    }

    /// Creates a web view.
    public init(frame: CGRect, configuration: WKWebViewConfiguration) {
        self.configuration = configuration
        super.init(frame: frame)
    }

    /// Creates a web view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        configuration = WKWebViewConfiguration()
        super.init(coder: coder)
    }

    /// Loads an address; only http and https are shown.
    @discardableResult
    open func load(_ request: URLRequest) -> WKNavigation? {
        let action = WKNavigationAction(request: request)
        guard let navigationDelegate else {
            show(request.url)
            return WKNavigation()
        }
        navigationDelegate.webView(self, decidePolicyFor: action) { [weak self] policy in
            if policy == .allow { self?.show(request.url) }
        }
        return WKNavigation()
    }

    /// Loads the page again.
    @discardableResult
    open func reload() -> WKNavigation? {
        show(url)
        return url.map { _ in WKNavigation() }
    }

    /// Returns why an address cannot be reached; any answer of a server will do, since it is the frame that shows it.
    private nonisolated static func obstacle(_ request: URLRequest) async -> (any Error)? {
        var request = request
        request.httpMethod = "HEAD"
        request.timeoutInterval = 15
        do {
            _ = try await URLSession.shared.data(for: request)
            return nil
        } catch {
            return error
        }
    }

    /// Shows HTML of the app's own.
    @discardableResult
    open func loadHTMLString(_ string: String, baseURL: URL?) -> WKNavigation? {
        html = string
        url = baseURL
        hasFailed = false
        loadNumber += 1
        unchecked = nil
        setNeedsDisplay()
        return WKNavigation()
    }

    private func show(_ address: URL?) {
        guard let address, ["http", "https"].contains(address.scheme?.lowercased() ?? "") else { return }
        url = address
        html = nil
        estimatedProgress = 0.1
        setNeedsDisplay()
        hasFailed = false
        loadNumber += 1
        unchecked = address
    }

    /// Finds out whether a page can be reached once it is looked at: a browser does not tell that of a frame.
    private func check() {
        guard let address = unchecked, screen?.isConnected == true else { return }
        unchecked = nil
        // Foundation on Linux does not survive every cancellation, so an answer that comes too late is ignored instead.
        Task { [weak self, loadNumber] in
            let obstacle = await Self.obstacle(URLRequest(url: address))
            guard let self, let obstacle, loadNumber == self.loadNumber else { return }
            hasFailed = true
            navigationDelegate?.webView(self, didFailProvisionalNavigation: WKNavigation(), withError: obstacle)
        }
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        check()
        node.add(class: "web")
        let id = drawing.add("\(nodeID).frame", tag: "iframe", class: "frame")
        drawing.nodes[id]?.style = frameStyle
        // Without `allow-same-origin` the page has an origin of its own: it can neither read nor steer this one.
        drawing.nodes[id]?.attributes["sandbox"] = "allow-scripts allow-forms allow-popups"
        drawing.nodes[id]?.attributes["referrerpolicy"] = "no-referrer"
        if let html {
            drawing.nodes[id]?.attributes["sandbox"] = ""
            drawing.nodes[id]?.attributes["srcdoc"] = html
        } else if let url {
            drawing.nodes[id]?.attributes["src"] = url.absoluteString
        }
        node.children.insert(id, at: 0)
    }

    /// A browser doesn't move what is inside of a frame, so the page begins below the bars, and ends above them.
    private var frameStyle: [String: String] {
        let (bars, device) = (covered(isResting: false), screen?.environment.safeArea.bottom ?? 0)
        let bottom = bars.bottom > device ? bars.bottom : 0
        guard bars.top + bottom > 0 else { return [:] }
        return ["top": CSS.points(bars.top), "height": "calc(100% - \(CSS.points(bars.top + bottom)))"]
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        // Where a page cannot be reached, the browser loads one of its own that says so.
        guard event.kind == .loaded, !hasFailed else { return false }
        estimatedProgress = 1
        navigationDelegate?.webView(self, didFinish: WKNavigation())
        return true
    }
}
