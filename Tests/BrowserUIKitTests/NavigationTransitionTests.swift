import Foundation
import Testing

@testable import BrowserUIKit

/// Slides controllers over one another, and lets a test steer that.
@MainActor
private final class Slider: NSObject, UINavigationControllerDelegate, UIViewControllerAnimatedTransitioning {
    var operations: [UINavigationController.Operation] = []
    var shown: [UIViewController] = []
    var contexts: [any UIViewControllerContextTransitioning] = []
    var steering: UIPercentDrivenInteractiveTransition?

    func navigationController(
        _ navigationController: UINavigationController,
        animationControllerFor operation: UINavigationController.Operation,
        from fromVC: UIViewController,
        to toVC: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? {
        operations.append(operation)
        return self
    }

    func navigationController(
        _ navigationController: UINavigationController,
        interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)? { steering }

    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) {
        shown.append(viewController)
    }

    func transitionDuration(using transitionContext: (any UIViewControllerContextTransitioning)?) -> TimeInterval { 2 }

    func animateTransition(using transitionContext: any UIViewControllerContextTransitioning) {
        contexts.append(transitionContext)
        guard let from = transitionContext.view(forKey: .from), let to = transitionContext.view(forKey: .to) else {
            return
        }
        transitionContext.containerView.addSubview(to)
        to.alpha = 0
        UIView.animate(withDuration: 2) {
            to.alpha = 1
            from.alpha = 0.5
        } completion: { _ in
            transitionContext.completeTransition(!transitionContext.transitionWasCancelled)
        }
    }
}

/// What the page is asked to play.
private struct Played: Decodable {
    var p: String
    var c: Double?
    var r: Double?
}

@MainActor
@Suite("Transitions in a stack of controllers")
struct NavigationTransitionTests {
    private let root = UIViewController()
    private let detail = UIViewController()
    private let slider = Slider()
    private let navigation: UINavigationController

    init() {
        navigation = UINavigationController(rootViewController: root)
        navigation.delegate = slider
    }

    /// Collects what waits for the end of animations while a test runs.
    private func waiting(_ body: (Page, () -> Void) throws -> Void) rethrows {
        let clock = AnimationTime.wait
        defer { AnimationTime.wait = clock }
        var pending: [@MainActor () -> Void] = []
        AnimationTime.wait = { _, body in pending.append(body) }
        let page = Page { navigation }
        slider.shown = []
        try body(page) {
            let due = pending
            pending = []
            for body in due { body() }
            page.screen.drawIfNeeded()
        }
    }

    private func played(_ view: UIView, on page: Page) throws -> [Played] {
        page.screen.drawIfNeeded()
        let attributes = page.elements[view.nodeID]?.attributes ?? [:]
        return try attributes.filter { $0.key.hasPrefix("data-animation-") }
            .map { try JSONDecoder().decode(Played.self, from: Data($0.value.utf8)) }
    }

    @Test("A controller is pushed and popped by the transition of the delegate, which shows both views")
    func pushing() throws {
        try waiting { page, end in
            navigation.pushViewController(detail, animated: true)
            page.screen.drawIfNeeded()
            let context = try #require(slider.contexts.first)
            #expect(slider.operations == [.push] && slider.shown.isEmpty && !context.isInteractive)
            #expect(context.viewController(forKey: .from) === root && context.viewController(forKey: .to) === detail)
            #expect(page.elements[root.view.nodeID] != nil && page.elements[detail.view.nodeID] != nil)
            #expect(page.elements[root.view.nodeID]?.style["transition"]?.contains("2s") == true)
            end()
            #expect(slider.shown.last === detail && navigation.topViewController === detail)
            #expect(page.elements[root.view.nodeID] == nil && page.elements[detail.view.nodeID] != nil)
            #expect(detail.parent === navigation && detail.view.superview == nil)
            navigation.popViewController(animated: true)
            page.screen.drawIfNeeded()
            #expect(slider.operations == [.push, .pop] && page.elements[root.view.nodeID] != nil)
            end()
            #expect(slider.shown.last === root && detail.parent == nil)
            #expect(page.elements[detail.view.nodeID] == nil)
            navigation.pushViewController(detail, animated: false)
            #expect(slider.operations.count == 2 && slider.shown.last === detail)
        }
    }

    @Test("Another stack comes by the transition of a push, or of a pop where its top was in the one before")
    func otherStack() {
        waiting { page, end in
            let last = UIViewController()
            navigation.setViewControllers([root, detail, last], animated: true)
            #expect(slider.operations == [.push] && last.isMovingToParent && slider.shown.isEmpty)
            end()
            #expect(slider.shown.last === last && !last.isMovingToParent && last.parent === navigation)
            navigation.setViewControllers([detail], animated: true)
            #expect(slider.operations == [.push, .pop] && root.isMovingFromParent && root.parent === navigation)
            end()
            #expect(root.parent == nil && last.parent == nil && navigation.viewControllers == [detail])
            #expect(page.elements[detail.view.nodeID] != nil && page.elements[last.view.nodeID] == nil)
            let steering = UIPercentDrivenInteractiveTransition()
            slider.steering = steering
            navigation.setViewControllers([root], animated: true)
            steering.update(0.5)
            steering.cancel()
            end()
            #expect(navigation.viewControllers == [detail] && detail.parent === navigation && root.parent == nil)
        }
    }

    @Test("What is presented over the stack is what it shows")
    func visible() {
        let page = Page { navigation }
        let sheet = UIViewController()
        root.present(sheet, animated: false)
        #expect(navigation.visibleViewController === sheet && navigation.topViewController === root)
        root.dismiss(animated: false)
        page.screen.drawIfNeeded()
        #expect(navigation.visibleViewController === root)
    }

    @Test("A change ends the transition that runs")
    func overtaken() {
        waiting { page, end in
            navigation.pushViewController(detail, animated: true)
            navigation.popViewController(animated: false)
            end()
            #expect(navigation.viewControllers == [root] && detail.parent == nil)
            #expect(page.elements[root.view.nodeID] != nil && page.elements[detail.view.nodeID] == nil)
        }
    }

    @Test("A change ends a transition that was given up as one that was, and goes on from the stack before it")
    func overtakenOnItsWayBack() {
        waiting { page, end in
            let steering = UIPercentDrivenInteractiveTransition()
            slider.steering = steering
            navigation.pushViewController(detail, animated: true)
            steering.update(0.5)
            steering.cancel()
            let popped = navigation.popViewController(animated: false)
            #expect(popped == nil && navigation.viewControllers == [root] && detail.parent == nil)
            #expect(root.view.alpha == 1 && slider.shown.isEmpty)
            end()
            navigation.pushViewController(detail, animated: false)
            navigation.popViewController(animated: true)
            steering.update(0.5)
            steering.cancel()
            let last = UIViewController()
            navigation.pushViewController(last, animated: false)
            end()
            #expect(navigation.viewControllers == [root, detail, last] && detail.parent === navigation)
            #expect(slider.contexts.last?.transitionWasCancelled == true && detail.view.alpha == 1)
            #expect(page.elements[last.view.nodeID] != nil && page.elements[detail.view.nodeID] == nil)
        }
    }

    @Test("The user sees the part of a transition that they steer to, and lets it go on")
    func steering() throws {
        try waiting { page, end in
            let steering = UIPercentDrivenInteractiveTransition()
            slider.steering = steering
            navigation.pushViewController(detail, animated: true)
            #expect(slider.contexts.first?.isInteractive == true && steering.duration == 2)
            steering.update(0.25)
            let part = try #require(try played(root.view, on: page).first)
            #expect(part.p == "opacity" && part.c == 500 && part.r == 0 && steering.percentComplete == 0.25)
            steering.update(.nan)
            #expect(steering.percentComplete == 0)
            steering.finish()
            let further = try played(root.view, on: page).first
            #expect(further?.r == 1 && slider.shown.isEmpty)
            end()
            #expect(slider.shown.last === detail && navigation.viewControllers == [root, detail])
            let left = try played(detail.view, on: page)
            #expect(left.isEmpty)
        }
    }

    @Test("Keyframes are steered, too, and nothing plays by itself until then")
    func keyframes() throws {
        try waiting { page, end in
            var isOver = false
            let steered = SteeredAnimations()
            steered.collect {
                UIView.animateKeyframes(withDuration: 4, delay: 0) {
                    UIView.addKeyframe(withRelativeStartTime: 0.5, relativeDuration: 0.5) { root.view.alpha = 0 }
                } completion: {
                    isOver = $0
                }
            }
            end()
            steered.show(0.75)
            let part = try played(root.view, on: page)
            #expect(part.count == 1 && part.first?.c == 3_000 && part.first?.r == 0 && !isOver)
            steered.run(from: 0.75, to: 1, speed: 1)
            end()
            let left = try played(root.view, on: page)
            #expect(isOver && left.isEmpty)
        }
    }

    @Test("A transition that the user gives up leaves everything as it was")
    func cancelling() throws {
        try waiting { page, end in
            navigation.pushViewController(detail, animated: false)
            slider.shown = []
            let steering = UIPercentDrivenInteractiveTransition()
            slider.steering = steering
            navigation.popViewController(animated: true)
            #expect(navigation.viewControllers == [root])
            steering.update(0.5)
            steering.cancel()
            let back = try played(detail.view, on: page).first
            #expect(back?.r == -1 && back?.c == 1_000)
            end()
            #expect(navigation.viewControllers == [root, detail] && detail.parent === navigation)
            #expect(slider.shown.isEmpty && detail.view.alpha == 1 && slider.contexts.last?.isInteractive == false)
            #expect(page.elements[detail.view.nodeID] != nil && page.elements[root.view.nodeID] == nil)
        }
    }
}
