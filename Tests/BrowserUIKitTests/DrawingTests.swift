import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("A screen")
struct DrawingTests {
    private func controller(_ views: UIView...) -> UIViewController {
        let controller = UIViewController()
        for view in views {
            view.translatesAutoresizingMaskIntoConstraints = false
            controller.view.addSubview(view)
        }
        return controller
    }

    @Test("sends only what changed")
    func diff() throws {
        let label = UILabel()
        let other = UILabel()
        (label.text, other.text) = ("one", "two")
        let page = Page { controller(label, other) }
        label.text = "changed"
        page.screen.drawIfNeeded()
        #expect(page.sizes.count == 1)
        #expect(try #require(page.sizes.last) < 80)
        #expect(Set(page.texts) == ["changed", "two"])
    }

    @Test("asks for no other drawing once one has ended, whatever it shows")
    func quiet() {
        let read = UITextView()
        read.isEditable = false
        read.attributedText = NSAttributedString(
            string: "read",
            attributes: [.font: UIFont.systemFont(ofSize: 12), .foregroundColor: UIColor.red]
        )
        let plain = UITextView()
        plain.isEditable = false
        plain.text = "plain"
        let views: [UIView] = [
            read, plain, UITextView(), UITextField(), UISearchBar(), UIButton(type: .system), UISwitch(), UISlider(),
            UIStepper(), UISegmentedControl(items: ["a", "b"]), UIPageControl(), UIProgressView(),
            UIActivityIndicatorView(), UIDatePicker(), UIImageView(), UIScrollView(), UITableView(), UILabel(),
            UIStackView(), UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout()),
        ]
        for view in views {
            let page = Page { controller(view) }
            // What comes on screen may ask for one more.
            for _ in 0..<3 { page.screen.drawIfNeeded() }
            #expect(!UIScreen.scheduled.contains { $0 === page.screen }, "\(type(of: view))")
        }
    }

    @Test("sends nothing when a property is set to what it was")
    func noChange() {
        let label = UILabel()
        label.text = "one"
        let page = Page { controller(label) }
        label.text = "one"
        page.screen.drawIfNeeded()
        #expect(page.sizes.isEmpty)
    }

    @Test("passes text on as text, whatever it says")
    func hostileText() throws {
        let label = UILabel()
        label.text = "</div><script>alert(1)</script>"
        label.accessibilityLabel = "\" onmouseover=\"alert(1)"
        let page = Page { controller(label) }
        let element = try #require(page.elements[label.nodeID])
        #expect(element.text == "</div><script>alert(1)</script>")
        #expect(element.attributes["aria-label"] == "\" onmouseover=\"alert(1)")
        #expect(Set(page.elements.values.map(\.tag)) == ["div"])
    }

    @Test("shows web addresses in a frame that cannot reach the app, and no others")
    func webView() throws {
        let web = WKWebView()
        let page = Page { controller(web) }
        for address in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"] {
            web.load(URLRequest(url: try #require(URL(string: address))))
        }
        page.screen.drawIfNeeded()
        #expect(page.elements["\(web.nodeID).frame"]?.attributes["src"] == nil)
        web.load(URLRequest(url: try #require(URL(string: "https://shop.example/"))))
        page.screen.drawIfNeeded()
        let frame = try #require(page.elements["\(web.nodeID).frame"])
        #expect(frame.attributes["src"] == "https://shop.example/")
        #expect(frame.attributes["sandbox"]?.contains("allow-same-origin") == false)
        web.loadHTMLString("<script>parent.document.title = 1</script>", baseURL: nil)
        page.screen.drawIfNeeded()
        #expect(page.elements["\(web.nodeID).frame"]?.attributes["sandbox"] == "")
    }

    @Test("tells of a page that cannot be reached, and not that the browser's own page about that was loaded")
    func unreachablePage() async throws {
        final class Listener: WKNavigationDelegate {
            var finished = 0
            var errors: [any Error] = []

            func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) { finished += 1 }

            func webView(
                _ webView: WKWebView,
                didFailProvisionalNavigation navigation: WKNavigation!,
                withError error: any Error
            ) { errors.append(error) }
        }
        let web = WKWebView()
        let listener = Listener()
        web.navigationDelegate = listener
        let page = Page { controller(web) }
        web.load(URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/"))))
        while listener.errors.isEmpty { await Task.yield() }
        page.report(#"{"i":"\#(web.nodeID).frame","k":"loaded"}"#)
        #expect(listener.finished == 0)
        web.loadHTMLString("<p>", baseURL: nil)
        page.report(#"{"i":"\#(web.nodeID).frame","k":"loaded"}"#)
        #expect(listener.finished == 1)
        #expect(listener.errors.count == 1)
    }

    @Test("opens only addresses that a browser can be trusted with")
    func opening() throws {
        let root = controller()
        let page = Page { root }
        let scene = try #require(root.view.window?.windowScene)
        var answers: [Bool] = []
        for address in ["https://shop.example/", "mailto:a@b.example", "javascript:alert(1)", "data:,x", "file:///x"] {
            scene.open(try #require(URL(string: address)), options: nil) { answers.append($0) }
        }
        #expect(answers == [true, true, false, false, false])
        #expect(page.opened == ["https://shop.example/", "mailto:a@b.example"])
    }

    @Test("forces an appearance on a part of the tree, and tells views of a live switch")
    func appearance() throws {
        final class Watcher: UIView {
            var seen: [UIUserInterfaceStyle] = []

            override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
                if previousTraitCollection != nil { seen.append(traitCollection.userInterfaceStyle) }
            }
        }
        let watcher = Watcher()
        let page = Page { controller(watcher) }
        page.screen.receive(Data(#"{"environment":{"dark":true}}"#.utf8))
        #expect(watcher.seen == [.dark])
        #expect(UIColor.label.resolvedColor(with: watcher.traitCollection) == UIColor.white)
        watcher.overrideUserInterfaceStyle = .light
        page.screen.drawIfNeeded()
        #expect(watcher.seen == [.dark, .light])
        #expect(page.elements[watcher.nodeID]?.style["color-scheme"] == "light")
    }

    @Test("scales fonts of text styles once, and fixed fonts never")
    func dynamicType() throws {
        let label = UILabel()
        label.text = "x"
        label.font = UIFontMetrics(forTextStyle: .callout).scaledFont(for: .systemFont(ofSize: 16, weight: .bold))
        label.adjustsFontForContentSizeCategory = true
        let fixed = UILabel()
        fixed.text = "y"
        fixed.adjustsFontForContentSizeCategory = true
        let page = Page { controller(label, fixed) }
        page.screen.receive(Data(#"{"environment":{"text":8}}"#.utf8))
        #expect(page.elements[label.nodeID]?.style["font-size"] == "32px")
        #expect(page.elements[fixed.nodeID]?.style["font-size"] == "17px")
        page.screen.receive(Data(#"{"environment":{"text":3}}"#.utf8))
        #expect(page.elements[label.nodeID]?.style["font-size"] == "16px")
    }
}

@MainActor
@Suite("Constraints")
struct ConstraintTests {
    private let container = UIView()

    private func add(_ count: Int) -> [UIView] {
        (0..<count).map { _ in
            let view = UIView()
            view.translatesAutoresizingMaskIntoConstraints = false
            container.addSubview(view)
            return view
        }
    }

    private func styles() -> (Drawing, Node) {
        let drawing = Drawing()
        let id = container.render(drawing)
        return (drawing, drawing.nodes[id] ?? Node())
    }

    @Test("from top to bottom become the flow, with their constants as margins")
    func flow() {
        let views = add(2)
        NSLayoutConstraint.activate([
            views[0].topAnchor.constraint(equalTo: container.topAnchor, constant: 17),
            views[1].topAnchor.constraint(equalTo: views[0].bottomAnchor, constant: 6),
            container.bottomAnchor.constraint(equalTo: views[1].bottomAnchor, constant: 25),
            views[0].leadingAnchor.constraint(equalTo: container.leadingAnchor, constant: 25),
            views[0].trailingAnchor.constraint(equalTo: container.trailingAnchor, constant: -25),
        ])
        let (drawing, _) = styles()
        let first = drawing.nodes[views[0].nodeID]?.style
        let second = drawing.nodes[views[1].nodeID]?.style
        #expect(first?["margin-top"] == "17px")
        #expect(first?["margin-inline-start"] == "25px")
        #expect(first?["margin-inline-end"] == "25px")
        #expect(second?["margin-top"] == "6px")
        #expect(second?["margin-bottom"] == "25px")
        #expect(second?["position"] == nil)
    }

    @Test("to one end only lay a view over the flow")
    func overlay() {
        let views = add(1)
        NSLayoutConstraint.activate([
            views[0].leadingAnchor.constraint(equalTo: container.leadingAnchor),
            views[0].trailingAnchor.constraint(equalTo: container.trailingAnchor),
            views[0].bottomAnchor.constraint(equalTo: container.bottomAnchor),
            views[0].heightAnchor.constraint(equalToConstant: 8),
        ])
        let style = styles().0.nodes[views[0].nodeID]?.style
        #expect(style?["position"] == "absolute")
        #expect(style?["bottom"] == "0px")
        #expect(style?["height"] == "8px")
        #expect(style?["top"] == nil)
    }

    @Test("beside a view of fixed width start behind it, and the container holds its height")
    func beside() {
        let views = add(2)
        NSLayoutConstraint.activate([
            views[0].topAnchor.constraint(equalTo: container.topAnchor, constant: 17),
            views[0].leadingAnchor.constraint(equalTo: container.leadingAnchor, constant: 25),
            views[0].widthAnchor.constraint(equalToConstant: 57.5),
            views[0].heightAnchor.constraint(equalToConstant: 57.5),
            container.bottomAnchor.constraint(greaterThanOrEqualTo: views[0].bottomAnchor, constant: 25),
            views[1].topAnchor.constraint(equalTo: container.topAnchor, constant: 17),
            views[1].leadingAnchor.constraint(equalTo: views[0].trailingAnchor, constant: 12),
            container.bottomAnchor.constraint(equalTo: views[1].bottomAnchor, constant: 25),
        ])
        let (drawing, node) = styles()
        #expect(drawing.nodes[views[1].nodeID]?.style["margin-inline-start"] == "94.5px")
        #expect(node.style["min-height"] == "99.5px")
    }

    @Test("that are changed or switched off change the drawing")
    func changes() {
        let view = add(1)[0]
        let width = view.widthAnchor.constraint(equalToConstant: 10)
        width.isActive = true
        #expect(styles().0.nodes[view.nodeID]?.style["width"] == "10px")
        width.constant = 20
        #expect(styles().0.nodes[view.nodeID]?.style["width"] == "20px")
        width.isActive = false
        #expect(styles().0.nodes[view.nodeID]?.style["width"] == nil)
    }
}

@MainActor
@Suite("Controllers")
struct ControllerTests {
    final class Logger: UIViewController {
        static var log: [String] = []

        private func note(_ event: String) {
            Self.log.append("\(title ?? "") \(event)")
        }

        override func viewWillAppear(_ animated: Bool) { note("will appear") }
        override func viewDidAppear(_ animated: Bool) { note("did appear") }
        override func viewWillDisappear(_ animated: Bool) { note("will disappear") }
        override func viewDidDisappear(_ animated: Bool) { note("did disappear") }
    }

    private func logger(_ title: String) -> Logger {
        let logger = Logger()
        logger.title = title
        return logger
    }

    @Test("appear and disappear as they are pushed and popped, each once")
    func navigation() throws {
        Logger.log = []
        let navigation = UINavigationController(rootViewController: logger("a"))
        let page = Page { navigation }
        navigation.pushViewController(logger("b"), animated: true)
        page.screen.drawIfNeeded()
        #expect(page.texts.sorted() == ["a", "b"])
        page.tap("\(navigation.view.nodeID).back")
        #expect(navigation.topViewController?.title == "a")
        let expected = [
            "a will appear", "a did appear", "a will disappear", "b will appear", "a did disappear", "b did appear",
            "b will disappear", "a will appear", "b did disappear", "a did appear",
        ]
        #expect(Logger.log == expected)
        #expect(navigation.popViewController(animated: true) == nil)
    }

    @Test("are presented over others, and dismissed from inside")
    func presentation() {
        Logger.log = []
        let root = UIViewController()
        let page = Page { root }
        let inner = logger("inner")
        root.present(UINavigationController(rootViewController: inner), animated: true)
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "sheet").count == 1)
        inner.dismiss(animated: true)
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "sheet").isEmpty)
        #expect(root.presentedViewController == nil)
        #expect(Logger.log.last == "inner did disappear")
    }
}
