import Foundation
import Testing

@testable import BrowserUIKit

/// Notes what a view is told of its place among others.
private final class PlacedView: UIView {
    var calls: [String] = []

    override func willMove(toSuperview newSuperview: UIView?) {
        calls.append(newSuperview == nil ? "leaves" : "comes")
    }
    override func didMoveToSuperview() { calls.append(superview == nil ? "left" : "came") }
    override func didMoveToWindow() { calls.append(window == nil ? "no window" : "window") }
    override func didAddSubview(_ subview: UIView) { calls.append("added \(subview.tag)") }
    override func willRemoveSubview(_ subview: UIView) { calls.append("removes \(subview.tag)") }
}

@MainActor
@Suite("Views in views")
struct HierarchyTests {
    private func views(_ count: Int) -> [UIView] {
        (0..<count).map { index in
            let view = UIView()
            view.tag = index + 1
            return view
        }
    }

    private func numbers(_ view: UIView) -> [Int] { view.subviews.map { $0.tag } }

    @Test("lie from back to front as they were added, and where they were put")
    func order() {
        let (root, views) = (UIView(), views(6))
        for view in views.prefix(3) { root.addSubview(view) }
        #expect(numbers(root) == [1, 2, 3])
        root.bringSubviewToFront(views[0])
        #expect(numbers(root) == [2, 3, 1])
        root.sendSubviewToBack(views[2])
        #expect(numbers(root) == [3, 2, 1])
        root.insertSubview(views[3], aboveSubview: views[1])
        #expect(numbers(root) == [3, 2, 4, 1])
        root.insertSubview(views[4], belowSubview: views[1])
        #expect(numbers(root) == [3, 5, 2, 4, 1])
        root.insertSubview(views[5], at: 0)
        #expect(numbers(root) == [6, 3, 5, 2, 4, 1])
        root.insertSubview(views[5], at: 99)
        #expect(numbers(root) == [3, 5, 2, 4, 1, 6])
        root.addSubview(views[2])
        #expect(numbers(root) == [5, 2, 4, 1, 6, 3])
    }

    @Test("beside one that is elsewhere come to the front, and moving one that is elsewhere changes nothing")
    func strangers() {
        let (root, views) = (UIView(), views(3))
        root.addSubview(views[0])
        root.insertSubview(views[1], belowSubview: views[2])
        #expect(numbers(root) == [1, 2])
        root.bringSubviewToFront(views[2])
        root.sendSubviewToBack(views[2])
        #expect(numbers(root) == [1, 2])
    }

    @Test("have one superview, which they leave for another")
    func superviews() {
        let (first, second, view) = (UIView(), UIView(), UIView())
        first.addSubview(view)
        second.addSubview(view)
        #expect(first.subviews.isEmpty && second.subviews == [view] && view.superview === second)
        view.removeFromSuperview()
        view.removeFromSuperview()
        #expect(second.subviews.isEmpty && view.superview == nil)
    }

    @Test("are in themselves and in all that they are in, and in nothing else")
    func descendants() {
        let (root, outer, inner) = (UIView(), UIView(), UIView())
        root.addSubview(outer)
        outer.addSubview(inner)
        #expect(inner.isDescendant(of: root) && inner.isDescendant(of: outer) && inner.isDescendant(of: inner))
        #expect(!outer.isDescendant(of: inner) && !root.isDescendant(of: UIView()))
    }

    @Test("are found by their number, the view itself and what lies further back first")
    func tags() {
        let (root, views) = (UIView(), views(3))
        root.tag = 9
        root.addSubview(views[0])
        root.addSubview(views[1])
        views[0].addSubview(views[2])
        views[2].tag = 2
        #expect(root.viewWithTag(9) === root)
        #expect(root.viewWithTag(2) === views[2])
        #expect(root.viewWithTag(77) == nil)
    }

    @Test("are told of coming and leaving, before and after, as their superviews are")
    func calls() {
        let controller = UIViewController()
        let page = Page { controller }
        let (outer, inner) = (PlacedView(), PlacedView())
        inner.tag = 7
        controller.view.addSubview(outer)
        #expect(outer.calls == ["comes", "came", "window"])
        outer.calls = []
        outer.addSubview(inner)
        #expect(inner.calls == ["comes", "came", "window"] && outer.calls == ["added 7"])
        (outer.calls, inner.calls) = ([], [])
        inner.removeFromSuperview()
        #expect(inner.calls == ["leaves", "left", "no window"] && outer.calls == ["removes 7"])
        (outer.calls, inner.calls) = ([], [])
        outer.removeFromSuperview()
        outer.addSubview(inner)
        #expect(inner.calls == ["comes", "came"] && inner.window == nil)
        controller.view.addSubview(outer)
        #expect(inner.calls == ["comes", "came", "window"])
        #expect(inner.window === page.screen.window && page.screen.window.window === page.screen.window)
    }

    @Test("take their constraints along when they leave, but for those of their own size")
    func constraints() {
        let (root, view) = (UIView(), UIView())
        root.addSubview(view)
        let top = view.topAnchor.constraint(equalTo: root.topAnchor)
        let width = view.widthAnchor.constraint(equalToConstant: 10)
        NSLayoutConstraint.activate([top, width])
        view.removeFromSuperview()
        #expect(!top.isActive && width.isActive)
        root.addSubview(view)
        #expect(!top.isActive)
        root.addConstraints([top])
        #expect(top.isActive)
        root.removeConstraints([top])
        #expect(!top.isActive)
    }

    @Test("have the accent colour of what is around them, until they have one of their own")
    func tint() {
        let (outer, inner) = (UIView(), UIView())
        outer.addSubview(inner)
        #expect(inner.tintColor == UIColor.tintColor)
        outer.tintColor = .red
        #expect(inner.tintColor == .red)
        inner.tintColor = .green
        #expect(inner.tintColor == .green && outer.tintColor == .red)
        inner.tintColor = nil
        #expect(inner.tintColor == .red)
    }
}
