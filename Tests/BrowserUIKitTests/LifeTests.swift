import Foundation
import Testing

@testable import BrowserUIKit

private final class Calls {
    var names: [String] = []
}

private final class Told: UIViewController {
    let calls: Calls

    init(_ title: String, _ calls: Calls) {
        self.calls = calls
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    required init?(coder: NSCoder) {
        nil
    }

    private func note(_ name: String) { calls.names.append("\(title ?? "") \(name)") }

    override func willMove(toParent parent: UIViewController?) { note(parent == nil ? "will leave" : "will come") }
    override func didMove(toParent parent: UIViewController?) { note(parent == nil ? "left" : "came") }
    override func viewWillAppear(_ animated: Bool) { note("will appear") }
    override func viewIsAppearing(_ animated: Bool) {
        note("is appearing" + (isMovingToParent ? ", moving" : "") + (isBeingPresented ? ", presented" : ""))
    }
    override func viewDidAppear(_ animated: Bool) { note("did appear") }
}

private final class Stack: NSObject, UINavigationControllerDelegate {
    var shown: [String] = []

    func navigationController(
        _ navigationController: UINavigationController,
        willShow viewController: UIViewController,
        animated: Bool
    ) {
        shown.append("will \(viewController.title ?? "")")
    }

    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) {
        shown.append("did \(viewController.title ?? "")")
    }
}

private final class Scrolled: NSObject, UIScrollViewDelegate {
    var calls: [String] = []

    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { calls.append("begin") }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        calls.append("end \(decelerate)")
    }
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { calls.append("rest") }
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) { calls.append("moved") }
}

private final class Constrained: UIView {
    var updates = 0
    override func updateConstraints() {
        updates += 1
        super.updateConstraints()
    }
}

private final class Half: UIView {
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool { point.x < 50 }
}

@MainActor
@Suite("The life of controllers and views")
struct LifeTests {
    @Test("A controller that is pushed comes, is appearing and appears; one that is left is told before and after")
    func pushed() {
        let (calls, delegate) = (Calls(), Stack())
        let root = UIViewController()
        root.title = "Root"
        let navigation = UINavigationController(rootViewController: root)
        navigation.delegate = delegate
        let page = Page { navigation }
        #expect(delegate.shown == ["will Root", "did Root"])
        let told = Told("A", calls)
        navigation.pushViewController(told, animated: true)
        page.screen.drawIfNeeded()
        #expect(
            calls.names == ["A will come", "A will appear", "A is appearing, moving", "A did appear", "A came"]
        )
        #expect(!told.isMovingToParent)
        calls.names = []
        navigation.popViewController(animated: true)
        #expect(calls.names == ["A will leave", "A left"])
        #expect(delegate.shown.suffix(4) == ["will A", "did A", "will Root", "did Root"])
        navigation.present(told, animated: true)
        #expect(calls.names.contains("A is appearing, presented") && !told.isBeingPresented)
    }

    @Test("The stack goes back to a controller in it, and returns those that were above")
    func back() {
        let controllers = (0..<4).map { _ in UIViewController() }
        let navigation = UINavigationController(rootViewController: controllers[0])
        for controller in controllers.dropFirst() { navigation.pushViewController(controller, animated: false) }
        #expect(navigation.popToViewController(controllers[3], animated: false) == nil)
        #expect(navigation.popToViewController(UIViewController(), animated: false) == nil)
        let left = navigation.popToViewController(controllers[1], animated: false)
        #expect(left == [controllers[2], controllers[3]])
        #expect(navigation.viewControllers == [controllers[0], controllers[1]])
        #expect(controllers[2].parent == nil && controllers[3].parent == nil)
    }

    @Test("Controllers that are set are told as those that are pushed and left")
    func set() {
        let (calls, others) = (Calls(), Calls())
        let navigation = UINavigationController(rootViewController: Told("A", calls))
        let page = Page { navigation }
        calls.names = []
        navigation.setViewControllers([Told("B", others)], animated: false)
        page.screen.drawIfNeeded()
        #expect(calls.names == ["A will leave", "A left"])
        #expect(
            others.names == ["B will come", "B will appear", "B is appearing, moving", "B did appear", "B came"]
        )
    }

    @Test("A controller of another container leaves that one first")
    func moved() {
        let (one, two, child) = (UIViewController(), UIViewController(), UIViewController())
        one.addChild(child)
        two.addChild(child)
        #expect(one.children.isEmpty && two.children == [child] && child.parent === two)
    }

    @Test("A scroll view tells when the user begins to scroll, and when the content rests, whoever has scrolled it")
    func scrolling() {
        let (scroll, delegate) = (UIScrollView(), Scrolled())
        scroll.delegate = delegate
        let page = Page {
            let controller = UIViewController()
            controller.view = scroll
            return controller
        }
        func send(_ phase: String) {
            page.screen.receive(Data(#"{"events":[{"i":"\#(scroll.nodeID)","k":"scrolling","t":"\#(phase)"}]}"#.utf8))
        }
        send("e")
        #expect(delegate.calls.isEmpty)
        send("b")
        send("b")
        #expect(scroll.isDragging)
        send("e")
        send("e")
        #expect(delegate.calls == ["begin", "end true", "rest"] && !scroll.isDragging)
        scroll.setContentOffset(CGPoint(x: 0, y: 50), animated: true)
        send("e")
        scroll.setContentOffset(CGPoint(x: 0, y: 0), animated: false)
        send("e")
        #expect(delegate.calls.suffix(2) == ["rest", "moved"])
        #expect(!page.screen.receive(Data(#"{"events":[{"i":"v1","k":"scrolling","t":"x"}]}"#.utf8)))
    }

    @Test("A scroll view that leaves while the user scrolls it isn't scrolled any more")
    func scrollingEnds() {
        let (scroll, delegate) = (UIScrollView(), Scrolled())
        scroll.delegate = delegate
        let controller = UIViewController()
        controller.view.addSubview(scroll)
        let page = Page { controller }
        let text = #"{"events":[{"i":"\#(scroll.nodeID)","k":"scrolling","t":"b"}]}"#
        page.screen.receive(Data(text.utf8))
        #expect(scroll.isDragging)
        scroll.removeFromSuperview()
        #expect(!scroll.isDragging && delegate.calls == ["begin", "end false"])
    }

    @Test("Constraints are asked for once, and again only where that is asked for")
    func constraints() {
        let view = Constrained()
        let page = Page {
            let controller = UIViewController()
            controller.view.addSubview(view)
            return controller
        }
        #expect(view.updates == 1 && !view.needsUpdateConstraints())
        view.setNeedsLayout()
        page.screen.drawIfNeeded()
        #expect(view.updates == 1)
        view.setNeedsUpdateConstraints()
        page.screen.drawIfNeeded()
        #expect(view.updates == 2)
    }

    @Test("A view may leave touches of a part of it to others")
    func part() {
        let view = Half(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
        #expect(view.hitTest(CGPoint(x: 10, y: 5), with: nil) === view)
        #expect(view.hitTest(CGPoint(x: 60, y: 5), with: nil) == nil)
        let plain = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
        #expect(plain.hitTest(CGPoint(x: 60, y: 5), with: nil) === plain)
        #expect(plain.hitTest(CGPoint(x: 60, y: 25), with: nil) == nil)
    }

    @Test("Who has registered is told of the changes that it named, until it takes that back or is gone")
    func traits() {
        let controller = UIViewController()
        var told: [UIUserInterfaceStyle] = []
        let registration = controller.registerForTraitChanges([UITraitUserInterfaceStyle.self]) {
            (self: UIViewController, previous: UITraitCollection) in
            #expect(self === controller)
            told.append(previous.userInterfaceStyle)
        }
        #expect(!controller.isViewLoaded)
        let page = Page { controller }
        var environment = BrowserEnvironment()
        environment.width += 100
        page.screen.change(to: environment)
        page.screen.drawIfNeeded()
        #expect(told.isEmpty)
        controller.overrideUserInterfaceStyle = .dark
        page.screen.drawIfNeeded()
        #expect(told == [.light])
        controller.unregisterForTraitChanges(registration)
        controller.overrideUserInterfaceStyle = .light
        page.screen.drawIfNeeded()
        #expect(told == [.light])
    }

    @Test("A view that does not turn around keeps its direction, and so does what is in it")
    func semantics() throws {
        let (outer, inner) = (UIView(), UIView())
        outer.addSubview(inner)
        let page = Page {
            let controller = UIViewController()
            controller.view.addSubview(outer)
            return controller
        }
        #expect(page.elements[outer.nodeID]?.attributes["dir"] == nil)
        outer.semanticContentAttribute = .forceRightToLeft
        page.screen.drawIfNeeded()
        #expect(page.elements[outer.nodeID]?.attributes["dir"] == "rtl")
        #expect(inner.effectiveUserInterfaceLayoutDirection == .rightToLeft)
        inner.semanticContentAttribute = .playback
        page.screen.drawIfNeeded()
        #expect(page.elements[inner.nodeID]?.attributes["dir"] == "ltr")
        #expect(inner.traitCollection.layoutDirection == .leftToRight)
    }

    @Test("What is changed without animation is shown at once, also within one, and a transition fades in")
    func animations() async {
        let view = UIView()
        let page = Page {
            let controller = UIViewController()
            controller.view.addSubview(view)
            return controller
        }
        UIView.animate(withDuration: 0.01) {
            UIView.performWithoutAnimation { view.alpha = 0.5 }
        }
        #expect(view.animation == nil && view.alpha == 0.5)
        await withCheckedContinuation { done in
            UIView.transition(with: view, duration: 0.01, options: .transitionCrossDissolve) {
                view.backgroundColor = .systemPink
            } completion: { _ in
                done.resume()
            }
            #expect(view.animation != nil)
        }
        page.screen.drawIfNeeded()
        #expect(view.animation == nil)
        #expect(page.elements[view.nodeID]?.style["opacity"] == "0.5")
        var isDone = false
        UIView.setAnimationsEnabled(false)
        UIView.animate(withDuration: 10) {
            view.alpha = 1
        } completion: { _ in
            isDone = true
        }
        UIView.setAnimationsEnabled(true)
        #expect(isDone && view.animation == nil)
    }

    @Test("An image that keeps its size lies where the content mode says")
    func contentModes() {
        let view = UIImageView(image: UIImage(systemName: "star")?.withRenderingMode(.alwaysOriginal))
        let page = Page {
            let controller = UIViewController()
            controller.view.addSubview(view)
            return controller
        }
        var found: [UIView.ContentMode: [String?]] = [:]
        for mode in [UIView.ContentMode.scaleToFill, .scaleAspectFill, .center, .top, .bottomRight] {
            view.contentMode = mode
            page.screen.drawIfNeeded()
            let style = page.elements["\(view.nodeID).image"]?.style
            found[mode] = [style?["object-fit"], style?["object-position"]]
        }
        #expect(found[.scaleToFill] == ["fill", nil] && found[.scaleAspectFill] == ["cover", nil])
        #expect(found[.center] == ["none", nil] && found[.top] == ["none", "50% 0"])
        #expect(found[.bottomRight] == ["none", "100% 100%"])
    }
}
