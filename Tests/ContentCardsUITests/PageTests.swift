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
}
