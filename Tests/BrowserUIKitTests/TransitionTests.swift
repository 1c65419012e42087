import Foundation
import Testing

@testable import BrowserUIKit

/// Moves the view of a controller, and leaves the end of each transition to the test.
private final class Mover: NSObject, UIViewControllerTransitioningDelegate, UIViewControllerAnimatedTransitioning {
    var contexts: [any UIViewControllerContextTransitioning] = []
    var ends: [Bool] = []
    var steering: UIPercentDrivenInteractiveTransition?
    /// Moves the view of a controller that is dismissed.
    var leave: ((UIView) -> Void)?

    func interactionControllerForDismissal(
        using animator: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)? { steering }

    func animationController(
        forPresented presented: UIViewController,
        presenting: UIViewController,
        source: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? { self }

    func animationController(forDismissed dismissed: UIViewController) -> (any UIViewControllerAnimatedTransitioning)? {
        self
    }

    func transitionDuration(using transitionContext: (any UIViewControllerContextTransitioning)?) -> TimeInterval {
        0.2
    }

    func animateTransition(using transitionContext: any UIViewControllerContextTransitioning) {
        contexts.append(transitionContext)
        guard let view = transitionContext.view(forKey: .to) else {
            guard let leave, let view = transitionContext.view(forKey: .from) else { return }
            return UIView.animate(withDuration: transitionDuration(using: transitionContext)) { leave(view) }
        }
        let container = transitionContext.containerView
        container.addSubview(view)
        view.frame = container.bounds.inset(by: UIEdgeInsets(top: 400, left: 0, bottom: 0, right: 0))
        UIView.animate(withDuration: transitionDuration(using: transitionContext)) { view.frame = container.bounds }
    }

    func animationEnded(_ transitionCompleted: Bool) { ends.append(transitionCompleted) }
}

@MainActor
@Suite("Transitions of the app's own")
struct TransitionTests {
    private let root = UIViewController()
    private let detail = UIViewController()
    private let mover = Mover()

    private func present(on page: Page, completion: (() -> Void)? = nil) {
        detail.transitioningDelegate = mover
        root.present(detail, animated: true, completion: completion)
        page.screen.drawIfNeeded()
    }

    @Test("A controller is presented in the container, and is as large as the window in the end")
    func presenting() throws {
        let page = Page { root }
        var isDone = false
        present(on: page) { isDone = true }
        let context = try #require(mover.contexts.first)
        #expect(context.viewController(forKey: .from) === root && context.viewController(forKey: .to) === detail)
        #expect(context.view(forKey: .from) == nil && context.finalFrame(for: detail) == page.screen.window.bounds)
        #expect(context.initialFrame(for: detail) == .zero && context.isAnimated && !context.isInteractive)
        #expect(page.elements[detail.view.nodeID]?.style["transition"]?.contains("0.2s") == true)
        #expect(page.elements[detail.view.nodeID]?.style["top"] == "0px" && !isDone)
        #expect(page.elements(class: "placed").count == 1 && page.elements(class: "sheet").isEmpty)
        context.completeTransition(true)
        context.completeTransition(true)
        page.screen.drawIfNeeded()
        #expect(isDone && mover.ends == [true] && detail.view.window === page.screen.window)
        var wide = BrowserEnvironment()
        wide.width = 600
        page.screen.change(to: wide)
        page.screen.drawIfNeeded()
        #expect(detail.view.bounds.width == 600)
    }

    @Test("A controller is dismissed once its transition has ended, and stays where that was given up")
    func dismissing() throws {
        let page = Page { root }
        present(on: page)
        mover.contexts.first?.completeTransition(true)
        var isDone = false
        detail.dismiss(animated: true) { isDone = true }
        page.screen.drawIfNeeded()
        #expect(detail.isBeingDismissed && page.elements[detail.view.nodeID] != nil && !isDone)
        let given = try #require(mover.contexts.last)
        #expect(given.view(forKey: .from) === detail.view && given.view(forKey: .to) == nil)
        given.completeTransition(false)
        #expect(root.presentedViewController === detail && given.transitionWasCancelled && isDone)
        detail.dismiss(animated: true)
        mover.contexts.last?.completeTransition(true)
        page.screen.drawIfNeeded()
        #expect(root.presentedViewController == nil && page.elements[detail.view.nodeID] == nil)
        #expect(mover.ends == [true, false, true] && detail.view.superview == nil)
    }

    @Test("A dismissal that the user steers stays where that is given up, and goes where it is finished")
    func steered() throws {
        let clock = AnimationTime.wait
        defer { AnimationTime.wait = clock }
        AnimationTime.wait = { _, body in body() }
        let page = Page { root }
        present(on: page)
        mover.contexts.first?.completeTransition(true)
        let steering = UIPercentDrivenInteractiveTransition()
        mover.steering = steering
        detail.dismiss(animated: true)
        let given = try #require(mover.contexts.last)
        #expect(given.isInteractive && mover.contexts.count == 2 && abs(steering.duration - 0.2) < 0.001)
        steering.update(0.4)
        steering.cancel()
        #expect(given.transitionWasCancelled && !given.isInteractive)
        given.completeTransition(!given.transitionWasCancelled)
        #expect(root.presentedViewController === detail && mover.ends == [true, false])
        detail.dismiss(animated: true)
        steering.finish()
        let last = try #require(mover.contexts.last)
        last.completeTransition(!last.transitionWasCancelled)
        page.screen.drawIfNeeded()
        #expect(root.presentedViewController == nil && mover.ends == [true, false, true])
    }

    @Test("A dismissal that the user gives up leaves the view where it was, which follows the window again")
    func restored() throws {
        let clock = AnimationTime.wait
        defer { AnimationTime.wait = clock }
        AnimationTime.wait = { _, body in body() }
        let page = Page { root }
        present(on: page)
        mover.contexts.first?.completeTransition(true)
        page.screen.drawIfNeeded()
        let frame = detail.view.frame
        let steering = UIPercentDrivenInteractiveTransition()
        mover.steering = steering
        mover.leave = { view in
            view.frame.origin.y = 700
            view.alpha = 0.5
            view.transform = CGAffineTransform(scaleX: 0.5, y: 0.5)
        }
        detail.dismiss(animated: true)
        let given = try #require(mover.contexts.last)
        steering.update(0.4)
        #expect(detail.view.frame.minY == 700 && detail.view.alpha == 0.5)
        steering.cancel()
        given.completeTransition(!given.transitionWasCancelled)
        page.screen.drawIfNeeded()
        #expect(detail.view.frame == frame && detail.view.alpha == 1 && detail.view.transform == .identity)
        #expect(page.elements[detail.view.nodeID]?.style["transform"] == nil)
        var wide = BrowserEnvironment()
        wide.width = 600
        page.screen.change(to: wide)
        page.screen.drawIfNeeded()
        #expect(detail.view.bounds.width == 600)
    }

    @Test("A presentation that is given up leaves nothing, and one without animation needs no transition")
    func givenUp() {
        let page = Page { root }
        present(on: page)
        mover.contexts.first?.completeTransition(false)
        page.screen.drawIfNeeded()
        #expect(root.presentedViewController == nil && page.elements[detail.view.nodeID] == nil)
        root.present(detail, animated: false)
        #expect(mover.contexts.count == 1 && root.presentedViewController === detail)
        root.dismiss(animated: false)
        #expect(mover.contexts.count == 1 && root.presentedViewController == nil)
    }

    @Test("A controller that is dismissed at once leaves nothing to its transitions, and is presented again")
    func overtaken() throws {
        let page = Page { root }
        var done: [String] = []
        present(on: page) { done.append("presented") }
        root.dismiss(animated: false) { done.append("dismissed") }
        try #require(mover.contexts.first).completeTransition(true)
        #expect(done == ["dismissed", "presented"] && detail.view.superview == nil)
        present(on: page)
        mover.contexts.last?.completeTransition(true)
        root.dismiss(animated: true) { done.append("gradually") }
        root.dismiss(animated: false) { done.append("at once") }
        root.present(detail, animated: false)
        mover.contexts.last?.completeTransition(true)
        page.screen.drawIfNeeded()
        #expect(done.suffix(2) == ["at once", "gradually"])
        #expect(root.presentedViewController === detail && page.elements[detail.view.nodeID] != nil)
    }

    @Test("An animator that keeps what it was given goes with its last reference once the transition has ended")
    func animatorGoes() {
        let page = Page { root }
        var own: Mover? = Mover()
        let isGone = { [weak own] in own == nil }
        detail.transitioningDelegate = own
        root.present(detail, animated: true)
        page.screen.drawIfNeeded()
        #expect(own?.contexts.count == 1 && !isGone())
        own?.contexts.first?.completeTransition(true)
        own = nil
        #expect(isGone())
    }

    @Test("What covers entirely takes the view that it covers along, which comes back afterwards")
    func covered() {
        let page = Page { root }
        detail.modalPresentationStyle = .fullScreen
        present(on: page)
        mover.contexts.first?.completeTransition(true)
        detail.dismiss(animated: true)
        page.screen.drawIfNeeded()
        #expect(root.view.superview === mover.contexts.last?.containerView)
        mover.contexts.last?.completeTransition(true)
        page.screen.drawIfNeeded()
        #expect(root.view.superview == nil && page.elements[root.view.nodeID] != nil)
    }

    /// Notes when it comes and leaves.
    private final class Told: UIViewController {
        var calls: [String] = []

        override func viewWillAppear(_ animated: Bool) { calls.append("will appear") }
        override func viewDidAppear(_ animated: Bool) { calls.append(isBeingPresented ? "presented" : "did appear") }
        override func viewWillDisappear(_ animated: Bool) { calls.append("will disappear") }
        override func viewDidDisappear(_ animated: Bool) { calls.append("did disappear") }
    }

    @Test("A controller has come, and has left, when its transition has ended, and comes back where that is given up")
    func told() throws {
        let (told, page) = (Told(), Page { root })
        told.transitioningDelegate = mover
        root.present(told, animated: true)
        page.screen.drawIfNeeded()
        #expect(told.calls == ["will appear"] && told.isBeingPresented)
        mover.contexts.first?.completeTransition(true)
        #expect(told.calls == ["will appear", "presented"] && !told.isBeingPresented)
        told.calls = []
        told.dismiss(animated: true)
        #expect(told.calls == ["will disappear"])
        try #require(mover.contexts.last).completeTransition(false)
        #expect(told.calls == ["will disappear", "will appear", "did appear"])
        told.calls = []
        told.dismiss(animated: true)
        mover.contexts.last?.completeTransition(true)
        #expect(told.calls == ["will disappear", "did disappear"])
    }

    @Test("The style of a transition is told to the page")
    func styles() {
        let page = Page { root }
        detail.modalTransitionStyle = .crossDissolve
        root.present(detail, animated: true)
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "dissolve").count == 1)
        detail.modalTransitionStyle = .flipHorizontal
        detail.view.setNeedsDisplay()
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "flip").count == 1)
    }
}
