import Foundation
import Testing

@testable import BrowserUIKit

private final class Allowing: UIGestureRecognizerDelegate {}

@MainActor
@Suite("Navigation controllers")
struct NavigationTests {
    private let root = UIViewController()
    private let detail = UIViewController()
    private let navigation: UINavigationController

    init() {
        navigation = UINavigationController(rootViewController: root)
    }

    private func page(isRightToLeft: Bool = false) -> Page {
        var environment = BrowserEnvironment()
        environment.safeArea = UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
        environment.isRightToLeft = isRightToLeft
        return Page(environment) { navigation }
    }

    // MARK: The bar

    @Test("Buttons at the start take the place of the one that leads back, unless they supplement it")
    func startButtons() {
        navigation.pushViewController(detail, animated: false)
        let page = page()
        let buttons = {
            page.screen.drawIfNeeded()
            return page.elements(class: "leading").first?.children.count
        }
        #expect(buttons() == 1 && page.elements(class: "back").count == 1)
        detail.navigationItem.leftBarButtonItem = UIBarButtonItem(title: "Close", primaryAction: UIAction { _ in })
        #expect(buttons() == 1 && page.elements(class: "back").isEmpty)
        #expect(page.elements[navigation.view.nodeID]?.attributes["data-edge"] == nil)
        detail.navigationItem.leftItemsSupplementBackButton = true
        #expect(buttons() == 2 && page.elements(class: "back").count == 1)
        #expect(page.elements[navigation.view.nodeID]?.attributes["data-edge"] == "")
        detail.navigationItem.setHidesBackButton(true, animated: false)
        #expect(buttons() == 1 && page.elements(class: "back").isEmpty)
        detail.navigationItem.leftBarButtonItems = []
        detail.navigationItem.leftItemsSupplementBackButton = false
        detail.navigationItem.hidesBackButton = false
        #expect(buttons() == 1 && page.elements(class: "back").count == 1)
    }

    // MARK: The toolbar

    @Test("The toolbar shows the buttons of the controller on top, once it is shown, and covers the content")
    func toolbar() {
        var taps = 0
        let item = UIBarButtonItem(title: "Archive", primaryAction: UIAction { _ in taps += 1 })
        root.setToolbarItems([.flexibleSpace(), item], animated: false)
        let page = page()
        #expect(navigation.isToolbarHidden && page.elements(class: "toolbar").isEmpty)
        #expect(root.view.safeAreaInsets.bottom == 34)
        navigation.setToolbarHidden(false, animated: true)
        page.screen.drawIfNeeded()
        let id = navigation.toolbar.nodeID
        #expect(page.elements[id]?.style["padding-bottom"] == "34px")
        #expect(root.view.safeAreaInsets.bottom == 78)
        page.tap("\(id).item1")
        #expect(taps == 1)
        navigation.pushViewController(detail, animated: false)
        page.screen.drawIfNeeded()
        #expect(page.elements[id]?.children.isEmpty == true)
        navigation.isToolbarHidden = true
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "toolbar").isEmpty && navigation.toolbar.superview == nil)
    }

    @Test("Content that doesn't go under bars ends above the toolbar")
    func toolbarBelow() {
        root.edgesForExtendedLayout = []
        navigation.isToolbarHidden = false
        let page = page()
        #expect(root.view.safeAreaInsets == .zero)
        #expect(root.view.bounds.height == page.screen.environment.height - 47 - 44 - 44 - 34)
    }

    @Test("A view in the toolbar gets its touches")
    func viewInToolbar() {
        var taps = 0
        let button = UIButton(type: .system)
        button.addAction(UIAction { _ in taps += 1 }, for: .touchUpInside)
        root.toolbarItems = [UIBarButtonItem(customView: button)]
        navigation.isToolbarHidden = false
        let page = page()
        page.tap(button.nodeID)
        #expect(taps == 1)
    }

    // MARK: The finger from the edge

    /// Moves a finger from one place to another, and lets go.
    private func drag(from start: Int, to end: Int, on page: Page) {
        let id = navigation.view.nodeID
        let way = #""sx":\#(start),"sy":300,"x":\#(end),"y":300"#
        page.report(#"{"i":"\#(id)","k":"touch","p":"moved","b":true,\#(way)}"#)
        page.report(#"{"i":"\#(id)","k":"touch","p":"ended",\#(way)}"#)
    }

    private func isWatched(_ page: Page) -> Bool {
        page.elements[navigation.view.nodeID]?.attributes["data-edge"] != nil
    }

    @Test("A finger that comes from the edge far enough leads back, and moves what is shown on its way")
    func edge() {
        let page = page()
        #expect(!isWatched(page))
        navigation.pushViewController(detail, animated: false)
        page.screen.drawIfNeeded()
        #expect(isWatched(page))
        let id = navigation.view.nodeID
        let move = #""sx":5,"sy":300,"x":105,"y":300"#
        page.report(#"{"i":"\#(id)","k":"touch","p":"moved","b":true,\#(move)}"#)
        #expect(page.elements[detail.view.nodeID]?.style["translate"] == "100px")
        page.report(#"{"i":"\#(id)","k":"touch","p":"cancelled",\#(move)}"#)
        #expect(navigation.topViewController === detail && navigation.edgeShift == 0)
        drag(from: 200, to: 390, on: page)
        #expect(navigation.topViewController === detail)
        drag(from: 5, to: 300, on: page)
        #expect(navigation.topViewController === root && !isWatched(page))
        drag(from: 5, to: 300, on: page)
        #expect(navigation.topViewController === root)
    }

    @Test("The edge is the other one where the language is written from right to left")
    func otherEdge() {
        navigation.pushViewController(detail, animated: false)
        let page = page(isRightToLeft: true)
        drag(from: 5, to: 300, on: page)
        #expect(navigation.topViewController === detail)
        drag(from: 385, to: 90, on: page)
        #expect(navigation.topViewController === root)
    }

    @Test("Nothing leads back where there is no button for that, unless the app's own delegate decides")
    func refusal() {
        detail.navigationItem.hidesBackButton = true
        navigation.pushViewController(detail, animated: false)
        let page = page()
        #expect(!isWatched(page))
        drag(from: 5, to: 300, on: page)
        #expect(navigation.topViewController === detail)
        let delegate = Allowing()
        navigation.interactivePopGestureRecognizer?.delegate = delegate
        navigation.interactivePopGestureRecognizer?.isEnabled = false
        drag(from: 5, to: 300, on: page)
        #expect(navigation.topViewController === detail)
        navigation.interactivePopGestureRecognizer?.isEnabled = true
        page.screen.drawIfNeeded()
        #expect(isWatched(page))
        drag(from: 5, to: 300, on: page)
        #expect(navigation.topViewController === root)
    }

    @Test("Nothing leads back while the bar is hidden, as its button isn't shown")
    func hiddenBar() {
        navigation.pushViewController(detail, animated: false)
        navigation.setNavigationBarHidden(true, animated: false)
        let page = page()
        #expect(!isWatched(page))
        drag(from: 5, to: 300, on: page)
        #expect(navigation.topViewController === detail)
        navigation.setNavigationBarHidden(false, animated: false)
        page.screen.drawIfNeeded()
        #expect(isWatched(page))
    }

    // MARK: Bars that scrolling hides

    @Test("Scrolling down hides the bars, and scrolling up shows those that were there")
    func hiding() {
        let scroll = UIScrollView()
        root.view.addSubview(scroll)
        navigation.isToolbarHidden = false
        navigation.hidesBarsOnSwipe = true
        let page = page()
        func move(to offset: Int, content: Int = 3_000) {
            let size = #""w":390,"h":800,"c":\#(content),"r":{}"#
            page.report(#"{"i":"\#(scroll.nodeID)","k":"scroll","y":\#(offset),\#(size)}"#)
        }
        move(to: 100)
        #expect(!navigation.isNavigationBarHidden)
        page.report(#"{"i":"\#(scroll.nodeID)","k":"scrolling","t":"b"}"#)
        move(to: 120)
        #expect(!navigation.isNavigationBarHidden)
        move(to: 140)
        #expect(navigation.isNavigationBarHidden && navigation.isToolbarHidden)
        move(to: 120)
        #expect(navigation.isNavigationBarHidden)
        move(to: 90)
        #expect(!navigation.isNavigationBarHidden && !navigation.isToolbarHidden)
        move(to: 150, content: 1_000)
        #expect(!navigation.isNavigationBarHidden)
    }
}
