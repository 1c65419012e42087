import Foundation
import Testing

@testable import BrowserUIKit

/// Notes what controllers are told.
private final class Diary {
    var lines: [String] = []

    /// Returns what was noted, and begins again.
    func read() -> [String] {
        defer { lines = [] }
        return lines
    }
}

private final class Noted: UIViewController {
    private let diary: Diary

    init(_ title: String, _ diary: Diary) {
        self.diary = diary
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    required init?(coder: NSCoder) { nil }

    private func note(_ event: String) { diary.lines.append("\(title ?? "") \(event)") }

    override func viewWillAppear(_ animated: Bool) { note("will appear") }
    override func viewDidAppear(_ animated: Bool) { note("did appear") }
    override func viewWillDisappear(_ animated: Bool) {
        note(isMovingFromParent ? "will disappear, popped" : "will disappear")
    }
    override func viewDidDisappear(_ animated: Bool) { note("did disappear") }
}

/// Fades one controller over another, steered by the test.
@MainActor
private final class Fader: NSObject, UINavigationControllerDelegate, UIViewControllerAnimatedTransitioning {
    let steering = UIPercentDrivenInteractiveTransition()
    /// Whether it takes out the view that has left, as many animators do.
    var removes = false

    func navigationController(
        _ navigationController: UINavigationController,
        animationControllerFor operation: UINavigationController.Operation,
        from fromVC: UIViewController,
        to toVC: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? { self }

    func navigationController(
        _ navigationController: UINavigationController,
        interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)? { steering }

    func transitionDuration(using transitionContext: (any UIViewControllerContextTransitioning)?) -> TimeInterval { 1 }

    func animateTransition(using transitionContext: any UIViewControllerContextTransitioning) {
        guard let from = transitionContext.view(forKey: .from), let to = transitionContext.view(forKey: .to) else {
            return
        }
        transitionContext.containerView.addSubview(to)
        UIView.animate(withDuration: 1) {
            from.alpha = 0.5
        } completion: { [removes] _ in
            let isDone = !transitionContext.transitionWasCancelled
            if removes { (isDone ? from : to).removeFromSuperview() }
            transitionContext.completeTransition(isDone)
        }
    }
}

@MainActor
@Suite("What controllers are told while the user steers from one to another")
struct SteeredAppearanceTests {
    private let diary = Diary()
    private let fader = Fader()
    private let root: Noted
    private let detail: Noted
    private let navigation: UINavigationController

    init() {
        root = Noted("root", diary)
        detail = Noted("detail", diary)
        navigation = UINavigationController(rootViewController: root)
    }

    private static let begun = ["detail will disappear, popped", "root will appear"]
    private static let finished = begun + ["detail did disappear", "root did appear"]
    private static let givenUp =
        begun + ["root will disappear", "root did disappear", "detail will appear", "detail did appear"]

    /// Shows the detail, and collects what waits for the end of animations while a test runs.
    private func waiting(_ body: (Page, () -> Void) throws -> Void) rethrows {
        let clock = AnimationTime.wait
        defer { AnimationTime.wait = clock }
        var pending: [@MainActor () -> Void] = []
        AnimationTime.wait = { _, body in pending.append(body) }
        let page = Page { navigation }
        navigation.pushViewController(detail, animated: false)
        page.screen.drawIfNeeded()
        _ = diary.read()
        try body(page) {
            let due = pending
            pending = []
            for body in due { body() }
        }
    }

    private func report(_ phase: String, at place: Int, on page: Page) {
        let way = #""sx":5,"sy":300,"x":\#(place),"y":300"#
        page.report(#"{"i":"\#(navigation.view.nodeID)","k":"touch","p":"\#(phase)","b":true,\#(way)}"#)
    }

    @Test("One that is pushed comes after the other begins to leave, and has come after that has left")
    func pushing() {
        _ = Page { navigation }
        _ = diary.read()
        navigation.pushViewController(detail, animated: false)
        let expected = ["root will disappear", "detail will appear", "root did disappear", "detail did appear"]
        #expect(diary.read() == expected)
    }

    @Test(
        "While the transition is steered, both are under way; at its end, each has left or come",
        arguments: [true, false]
    )
    func finishing(removes: Bool) {
        navigation.delegate = fader
        fader.removes = removes
        waiting { _, end in
            navigation.popViewController(animated: true)
            fader.steering.update(0.5)
            #expect(diary.lines == Self.begun)
            fader.steering.finish()
            #expect(diary.lines == Self.begun)
            end()
            #expect(diary.read() == Self.finished)
        }
    }

    @Test(
        "A transition that is given up tells the one that came that it leaves, and then the other that it is back",
        arguments: [true, false]
    )
    func cancelling(removes: Bool) {
        navigation.delegate = fader
        fader.removes = removes
        waiting { _, end in
            navigation.popViewController(animated: true)
            fader.steering.update(0.5)
            fader.steering.cancel()
            #expect(diary.lines == Self.begun)
            end()
            #expect(diary.read() == Self.givenUp)
            navigation.popViewController(animated: true)
            fader.steering.finish()
            end()
            #expect(diary.read() == Self.finished)
        }
    }

    @Test("A stack that leaves the screen ends the transition first, and what is on top leaves with it")
    func leaving() {
        navigation.delegate = fader
        waiting { page, end in
            navigation.popViewController(animated: true)
            fader.steering.update(0.5)
            page.screen.close()
            #expect(diary.read() == Self.finished + ["root will disappear", "root did disappear"])
            end()
            #expect(diary.read().isEmpty)
        }
    }

    @Test("A finger from the edge tells both when it begins, and once more when it is clear who stays")
    func edge() {
        waiting { page, _ in
            report("moved", at: 40, on: page)
            report("moved", at: 90, on: page)
            #expect(diary.lines == Self.begun)
            report("cancelled", at: 90, on: page)
            #expect(diary.read() == Self.givenUp && !detail.isMovingFromParent)
            report("moved", at: 40, on: page)
            report("ended", at: 300, on: page)
            #expect(diary.read() == Self.finished && navigation.topViewController === root)
        }
    }

    @Test("A controller that is pushed while the finger is down ends its way first")
    func overtaken() {
        waiting { page, _ in
            report("moved", at: 40, on: page)
            navigation.pushViewController(UIViewController(), animated: false)
            #expect(diary.read() == Self.givenUp + ["detail will disappear", "detail did disappear"])
            report("cancelled", at: 40, on: page)
            #expect(diary.read().isEmpty && navigation.viewControllers.count == 3)
        }
    }

    @Test("A child that comes on the way appears with its controller, once")
    func child() {
        navigation.delegate = fader
        waiting { _, end in
            navigation.popViewController(animated: true)
            let child = Noted("child", diary)
            root.addChild(child)
            root.view.addSubview(child.view)
            #expect(diary.read() == Self.begun)
            fader.steering.finish()
            end()
            let expected = ["detail did disappear", "child will appear", "child did appear", "root did appear"]
            #expect(diary.read() == expected)
        }
    }
}
