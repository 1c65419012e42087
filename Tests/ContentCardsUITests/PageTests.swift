import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("The page of a card")
struct PageTests {
    private struct Failure: Error {}

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// A page of a feed that is on screen.
    private func page() async throws -> (FeedHarness, ContentCardsWebViewController) {
        let harness = try await FeedHarness([])
        let page = ContentCardsWebViewController(url: try url("https://shop.example/"))
        harness.show(page)
        return (harness, page)
    }

    private func isAllowed(
        _ text: String,
        in page: ContentCardsWebViewController,
        frame: WKFrameInfo?
    ) throws -> Bool {
        let action = WKNavigationAction(request: URLRequest(url: try url(text)), targetFrame: frame)
        let answer = Guarded<WKNavigationActionPolicy?>(nil)
        page.webView(page.webView, decidePolicyFor: action) { policy in answer.change { $0 = policy } }
        return try #require(answer.value) == .allow
    }

    @Test("shows in its place what the page opens in a new window")
    func newWindow() async throws {
        let (_, page) = try await page()
        #expect(page.webView.uiDelegate === page)
        let action = WKNavigationAction(request: URLRequest(url: try url("https://shop.example/b")), targetFrame: nil)
        let window = page.webView(
            page.webView,
            createWebViewWith: page.webView.configuration,
            for: action,
            windowFeatures: WKWindowFeatures()
        )
        #expect(window == nil)
        #expect(page.webView.url?.path == "/b")
    }

    @Test("leaves the delegate that an app's own web view has")
    func ownDelegate() throws {
        final class Delegate: NSObject, WKUIDelegate {}
        let delegate = Delegate()
        let page = ContentCardsWebViewController(url: try url("https://shop.example/"))
        page.webView = WKWebView(frame: .zero)
        page.webView.uiDelegate = delegate
        page.loadViewIfNeeded()
        #expect(page.webView.uiDelegate === delegate)
    }

    @Test("plays videos in their place")
    func video() throws {
        let page = ContentCardsWebViewController(url: try url("https://shop.example/"))
        #expect(page.webView.configuration.allowsInlineMediaPlayback)
    }

    @Test("lets frames show what pages make, and neither leave the app nor read its files")
    func frames() async throws {
        let (harness, page) = try await page()
        let frame = WKFrameInfo(isMainFrame: false)
        for text in ["http://a.example/", "about:blank", "about:srcdoc", "blob:http://a.example/1", "data:text/html,"] {
            #expect(try isAllowed(text, in: page, frame: frame), "\(text)")
        }
        for text in ["file:///etc/passwd", "tel:1", "shop://coupon", "https2://a"] {
            #expect(try !isAllowed(text, in: page, frame: frame), "\(text)")
        }
        #expect(harness.opened.isEmpty)
        #expect(try !isAllowed("about:blank", in: page, frame: WKFrameInfo(isMainFrame: true)))
        #expect(try !isAllowed("tel:1", in: page, frame: WKFrameInfo(isMainFrame: true)))
        #expect(harness.opened == ["tel:1"])
    }

    @Test("hides the progress where a page breaks off, and keeps what has come")
    func broken() async throws {
        let (_, page) = try await page()
        #expect(page.progressBar.alpha == 1)
        page.webView(page.webView, didFail: nil, withError: Failure())
        #expect(page.progressBar.alpha == 0)
        #expect(!page.webView.isHidden)
    }

    @Test("loads a page again whose process has ended, and says so aloud where that ends it again")
    func terminated() async throws {
        let (harness, page) = try await page()
        let said = Guarded<[String]>([])
        harness.screen?.send = { data in said.change { $0.append(String(decoding: data, as: UTF8.self)) } }
        page.webViewWebContentProcessDidTerminate(page.webView)
        #expect(!page.webView.isHidden)
        page.webViewWebContentProcessDidTerminate(page.webView)
        #expect(page.webView.isHidden)
        #expect(said.value.contains { $0.contains("announce") })
        page.webView(page.webView, didFinish: nil)
        page.webViewWebContentProcessDidTerminate(page.webView)
        #expect(!page.webView.isHidden)
    }

    // MARK: Addresses and failures

    /// What a page shows in place of a page that can't be loaded: whether it does, and its button.
    private func error(of page: ContentCardsWebViewController) throws -> (isShown: Bool, retry: UIButton) {
        let stack = try #require(page.view.subviews.compactMap { $0 as? UIStackView }.first)
        let retry = try #require(stack.arrangedSubviews.compactMap { $0 as? UIButton }.first)
        return (!stack.isHidden, retry)
    }

    private func fail(_ page: ContentCardsWebViewController, code: Int) {
        let error = NSError(domain: "test", code: code)
        page.webView(page.webView, didFailProvisionalNavigation: nil, withError: error)
    }

    @Test("says that a page could not be reached, and loads it again when it is told to")
    func unreachable() async throws {
        let (_, page) = try await page()
        fail(page, code: -1_009)
        #expect(try error(of: page).isShown)
        #expect(page.webView.isHidden)
        #expect(page.progressBar.alpha == 0)
        let retry = try error(of: page).retry
        #expect(!retry.isHidden)
        retry.sendActions(for: .touchUpInside)
        #expect(try !error(of: page).isShown)
        #expect(!page.webView.isHidden)
        #expect(page.progressBar.alpha == 1)
    }

    @Test("hides progress and message once a page has come")
    func finished() async throws {
        let (_, page) = try await page()
        #expect(page.progressBar.alpha == 1)
        page.webView(page.webView, didFinish: nil)
        #expect(page.progressBar.alpha == 0)
        fail(page, code: -1_009)
        page.webView(page.webView, didFinish: nil)
        #expect(try !error(of: page).isShown)
        #expect(!page.webView.isHidden)
    }

    @Test("says in the user's language that a page could not be reached")
    func language() async throws {
        let (harness, page) = try await page()
        harness.screen?.receive(Data(#"{"environment":{"language":"ja-JP"}}"#.utf8))
        fail(page, code: -1_009)
        let stack = try #require(page.view.subviews.compactMap { $0 as? UIStackView }.first)
        let label = try #require(stack.arrangedSubviews.compactMap { $0 as? UILabel }.first)
        #expect(label.text == ContentCardsText.noConnection.text(languages: ["ja"]))
        #expect(label.numberOfLines == 0)
    }

    @Test("stays where the system takes no link")
    func staying() async throws {
        let harness = try await FeedHarness([])
        let page = ContentCardsWebViewController(url: try url("https://shop.example/"))
        let navigation = UINavigationController(rootViewController: UIViewController())
        navigation.pushViewController(page, animated: false)
        harness.show(navigation)
        harness.screen?.shouldOpen = { _ in false }
        #expect(try !isAllowed("shop://coupon", in: page, frame: WKFrameInfo(isMainFrame: true)))
        page.webView(page.webView, didFinish: nil)
        #expect(navigation.topViewController === page)
    }

    @Test("says nothing of a page that another one takes the place of, or that was left for another app")
    func replaced() async throws {
        let (_, page) = try await page()
        for code in [NSURLErrorCancelled, 102] {
            fail(page, code: code)
            #expect(try !error(of: page).isShown, "\(code)")
            #expect(!page.webView.isHidden)
        }
    }

    @Test("never loads what would run or read something, and offers no second attempt")
    func refused() async throws {
        for text in ["javascript:alert(1)", "file:///etc/passwd", "DATA:text/html,x", "about:blank"] {
            let page = ContentCardsWebViewController(url: try url(text))
            page.loadViewIfNeeded()
            let (isShown, retry) = try error(of: page)
            #expect(isShown, "\(text)")
            #expect(retry.isHidden, "\(text)")
            #expect(page.webView.url == nil, "\(text)")
        }
    }

    @Test("lets the pages of the web in, and hands shops of apps and other schemes to the system")
    func mainFrame() async throws {
        let (harness, page) = try await page()
        let frame = WKFrameInfo(isMainFrame: true)
        for text in ["http://a.example/", "HTTPS://a.example/?q=javascript:", "https://apps.apple.com.a.example/"] {
            #expect(try isAllowed(text, in: page, frame: frame), "\(text)")
        }
        let left = ["https://apps.apple.com/id1", "https://ITUNES.apple.com/", "shop://coupon", "mailto:a@b.example"]
        for text in left { #expect(try !isAllowed(text, in: page, frame: frame), "\(text)") }
        #expect(harness.opened.map { $0.lowercased() } == left.map { $0.lowercased() })
        for text in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "blob:a"] {
            #expect(try !isAllowed(text, in: page, frame: frame), "\(text)")
        }
        #expect(harness.opened.count == left.count)
    }

    @Test("goes once the system has taken a link: back where it was pushed, and away where it was presented")
    func left() async throws {
        let harness = try await FeedHarness([])
        let (root, page) = (UIViewController(), ContentCardsWebViewController(url: try url("https://shop.example/")))
        harness.show(root)
        root.present(UINavigationController(rootViewController: page), animated: false)
        harness.draw()
        #expect(try !isAllowed("tel:1", in: page, frame: WKFrameInfo(isMainFrame: true)))
        #expect(harness.opened == ["tel:1"] && root.presentedViewController == nil)
        let feed = UIViewController()
        let navigation = UINavigationController(rootViewController: feed)
        root.present(navigation, animated: false)
        navigation.pushViewController(page, animated: false)
        harness.draw()
        #expect(try !isAllowed("tel:2", in: page, frame: WKFrameInfo(isMainFrame: true)))
        #expect(root.presentedViewController === navigation && navigation.topViewController === feed)
    }

    @Test("has a Done button where it is told to before it is shown, and none otherwise")
    func doneButton() throws {
        let page = ContentCardsWebViewController(url: try url("https://shop.example/"))
        page.loadViewIfNeeded()
        #expect(page.navigationItem.rightBarButtonItem == nil)
        let other = ContentCardsWebViewController(url: try url("https://shop.example/"))
        other.showDoneButton = true
        other.loadViewIfNeeded()
        #expect(other.navigationItem.rightBarButtonItem != nil)
    }
}
