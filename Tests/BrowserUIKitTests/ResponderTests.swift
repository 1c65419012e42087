import Foundation
import Testing

@testable import BrowserUIKit

/// Takes touches, and what is typed.
private final class TypedView: UIView {
    var touches: [String] = []

    override var canBecomeFirstResponder: Bool { true }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { self.touches.append("began") }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { self.touches.append("ended") }
}

@MainActor
@Suite("The chain of responders")
struct ResponderTests {
    private func chain(from first: UIResponder) -> [UIResponder] {
        var chain: [UIResponder] = []
        var next: UIResponder? = first
        while let responder = next {
            chain.append(responder)
            next = responder.next
        }
        return chain
    }

    @Test("leads from a view over its superviews and their controller to the window, the scene and the app")
    func route() throws {
        let (controller, box, label) = (UIViewController(), UIView(), UILabel())
        box.addSubview(label)
        controller.view.addSubview(box)
        let page = Page { controller }
        let root = try #require(controller.view)
        let screen = page.screen
        let expected: [UIResponder] = [
            label, box, root, controller, screen.window, screen.scene, screen.application,
        ]
        #expect(chain(from: label) == expected)
    }

    @Test("leads from a child's view over the child to the view that it is in")
    func children() throws {
        let (parent, child) = (UIViewController(), UIViewController())
        parent.addChild(child)
        let (outer, inner) = (try #require(parent.view), try #require(child.view))
        outer.addSubview(inner)
        child.didMove(toParent: parent)
        let expected: [UIResponder] = [inner, child, outer, parent]
        #expect(chain(from: inner) == expected)
    }

    @Test("leads from a controller that is presented to the one that presents it")
    func presented() throws {
        let (root, sheet) = (UIViewController(), UIViewController())
        let page = Page { root }
        root.present(sheet, animated: false)
        page.screen.drawIfNeeded()
        let view = try #require(sheet.view)
        let shown: [UIResponder] = [view, sheet, root]
        #expect(Array(chain(from: view).prefix(3)) == shown)
        root.dismiss(animated: false)
        let dismissed: [UIResponder] = [view, sheet]
        #expect(chain(from: view) == dismissed)
    }

    @Test("ends with a view that is nowhere")
    func nowhere() {
        let view = UIView()
        #expect(view.next == nil && view.nearestOwner == nil && view.nearestController == nil)
        #expect(view.window == nil && view.screen == nil)
    }

    @Test("hands touches on to the first responder that takes them")
    func touches() {
        let (taking, between, view) = (TypedView(), UIView(), UIView())
        taking.addSubview(between)
        between.addSubview(view)
        view.touchesBegan([UITouch()], with: nil)
        view.touchesMoved([UITouch()], with: nil)
        view.touchesEnded([UITouch()], with: nil)
        #expect(taking.touches == ["began", "ended"])
    }

    @Test("has what can be typed into become its first, and nothing else")
    func first() {
        #expect(!UIView().canBecomeFirstResponder && !UIView().becomeFirstResponder())
        #expect(TypedView().becomeFirstResponder())
        #expect(UIView().resignFirstResponder())
    }

    @Test("gives views the controller that manages them, and the screen that shows them")
    func owners() {
        let (controller, outer, inner) = (UIViewController(), UIView(), UIView())
        outer.addSubview(inner)
        controller.view.addSubview(outer)
        #expect(inner.nearestController === controller && inner.screen == nil)
        let page = Page { controller }
        #expect(inner.screen === page.screen && inner.window === page.screen.window)
        outer.removeFromSuperview()
        #expect(inner.nearestController == nil && inner.screen == nil)
    }

    @Test("gives scroll views what their controller says of insets and large titles")
    func scrolling() {
        let scroll = UIScrollView()
        let controller = UIViewController()
        controller.automaticallyAdjustsScrollViewInsets = false
        #expect(scroll.adjustsInsets)
        controller.view = scroll
        #expect(!scroll.adjustsInsets)
        scroll.contentInsetAdjustmentBehavior = .always
        #expect(scroll.adjustsInsets)
        controller.title = "Orders"
        let navigation = UINavigationController(rootViewController: controller)
        #expect(controller.largeTitleHeight(above: scroll) == 0)
        navigation.navigationBar.prefersLargeTitles = true
        controller.automaticallyAdjustsScrollViewInsets = true
        #expect(controller.largeTitleHeight(above: scroll) == BarHeight.largeTitle)
        #expect(controller.largeTitleHeight(above: UIScrollView()) == 0)
        #expect(navigation.viewControllers == [controller])
    }
}
