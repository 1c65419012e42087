extension UIViewController {
    /// Shows a controller over this one, or over what holds it, by the transition that its delegate gives.
    ///
    /// As in UIKit, nothing is shown over a controller that presents another one already, and the console says so.
    func show(_ controller: UIViewController, animated: Bool, _ completion: (() -> Void)?) {
        var context = self
        while let parent = context.parent { context = parent }
        if let problem = context.problem(presenting: controller, for: self) { return ConsoleLog.write(problem) }
        context.present(controller, for: self, animated: animated, completion)
    }

    /// Returns why a controller can't be presented, in the words of UIKit; `nil` where it can.
    private func problem(presenting controller: UIViewController, for source: UIViewController) -> String? {
        if let ownPresented {
            return "Attempt to present \(controller) on \(self) (from \(source)) which is already presenting "
                + "\(ownPresented)."
        }
        if let presenter = controller.presenter {
            return "Application tried to present modally a view controller \(controller) that is already being "
                + "presented by \(presenter)."
        }
        guard controller === self || controller.parent != nil else { return nil }
        return "Application tried to present modally an active view controller \(controller)."
    }

    private func present(
        _ controller: UIViewController,
        for source: UIViewController,
        animated: Bool,
        _ completion: (() -> Void)?
    ) {
        controller.presenter = self
        ownPresented = controller
        let given = animated ? animator(presenting: controller, for: source) : nil
        if given != nil { controller.container = TransitionContainer(in: hostWindow) }
        controller.isBeingPresented = true
        // What is covered entirely leaves the screen, except where it isn't on it itself.
        controller.covers = controller.modalPresentationStyle.isCover && appearance != .gone
        if controller.covers { beginDisappearing(animated: animated) }
        controller.beginAppearing(animated: animated)
        controller.view.notifyOfWindow()
        loadedView?.setNeedsDisplay()
        guard let animator = given, let container = controller.container else {
            arrive(controller, animated: animated)
            completion?()
            return
        }
        Transition(from: self, to: controller, in: container) { [self] isComplete in
            // Without a transition, it may have been dismissed before this one has ended.
            if ownPresented === controller, controller.container === container {
                if isComplete {
                    container.settle(controller.view)
                    arrive(controller, animated: animated)
                } else {
                    end(controller, animated: animated)
                }
            }
            completion?()
        }.run(
            animator,
            steeredBy: controller.transitioningDelegate?.interactionControllerForPresentation(using: animator)
        )
    }

    /// Tells a controller that it has come, and this one that it has left where it is covered.
    private func arrive(_ controller: UIViewController, animated: Bool) {
        guard ownPresented === controller else { return }
        controller.endAppearing(animated: animated)
        controller.isBeingPresented = false
        if controller.covers { endDisappearing(animated: animated) }
    }

    /// Takes away what this controller presented, or this one itself, by the transition that its delegate gives.
    func leave(animated: Bool, _ completion: (() -> Void)?) {
        guard let presented = ownPresented else {
            if let parent, presentedViewController != nil {
                parent.dismiss(animated: animated, completion: completion)
            } else if let presentingViewController {
                presentingViewController.dismiss(animated: animated, completion: completion)
            } else {
                completion?()
            }
            return
        }
        guard animated, mayTransit, !presented.isBeingDismissed,
            let animator = presented.transitioningDelegate?.animationController(forDismissed: presented)
        else {
            end(presented, animated: animated)
            completion?()
            return
        }
        let container = presented.container ?? TransitionContainer(in: hostWindow)
        presented.container = container
        let look = RestingLook(of: presented.view)
        container.begin(with: presented.view)
        presented.isBeingDismissed = true
        beginReturning(from: presented, animated: animated)
        Transition(from: presented, to: self, in: container) { [self] isComplete in
            // Without a transition, it may have been dismissed before this one has ended.
            if ownPresented === presented, presented.container === container {
                if isComplete {
                    end(presented, animated: animated)
                } else {
                    // What is given up leaves the controller as it was.
                    look.restore(presented.view)
                    container.settle(presented.view)
                    giveUpReturning(to: presented, animated: animated)
                }
                presented.isBeingDismissed = false
            }
            completion?()
        }.run(
            animator,
            steeredBy: presented.transitioningDelegate?.interactionControllerForDismissal(using: animator)
        )
    }

    private var mayTransit: Bool { UIView.areAnimationsEnabled && hostWindow != nil }

    private func animator(
        presenting controller: UIViewController,
        for source: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? {
        guard mayTransit, let delegate = controller.transitioningDelegate else { return nil }
        return delegate.animationController(forPresented: controller, presenting: self, source: source)
    }

    /// Tells a controller that it leaves, and this one that it comes back where it was covered.
    private func beginReturning(from presented: UIViewController, animated: Bool) {
        // What covers it is told in its place, at the end.
        if !presented.isCovered { presented.beginDisappearing(animated: animated) }
        if presented.covers { beginAppearing(animated: animated) }
    }

    /// Tells a controller that is not dismissed after all that it is back, and this one that it leaves again where it
    /// is covered.
    private func giveUpReturning(to presented: UIViewController, animated: Bool) {
        if presented.covers {
            beginDisappearing(animated: animated)
            endDisappearing(animated: animated)
        }
        if !presented.isCovered { presented.appear(animated: animated) }
    }

    private func end(_ presented: UIViewController, animated: Bool) {
        (presented.isBeingPresented, presented.isBeingDismissed) = (false, true)
        let wasShown = presented.isShownOrCovered
        if presented.isCovered {
            presented.disappear(animated: animated)
        } else {
            presented.beginDisappearing(animated: animated)
        }
        if presented.covers {
            presented.covers = false
            if wasShown { appear(animated: animated) }
        }
        presented.endDisappearing(animated: animated)
        presented.isBeingDismissed = false
        loadedView?.setNeedsDisplay()
        // What was presented over it has disappeared with it, and doesn't come back with it.
        var last = self
        while let next = last.ownPresented {
            last.ownPresented = nil
            (next.presenter, next.covers) = (nil, false)
            next.container?.empty()
            next.container = nil
            last = next
        }
    }

    /// The view that the window shows for the controller.
    var shownView: UIView {
        if let container { return container }
        return view
    }

    /// Whether the transition of another controller shows the view.
    var isShownByTransition: Bool {
        guard let other = viewIfLoaded?.superview as? TransitionContainer else { return false }
        return other !== container
    }
}

/// The look of a view before a transition that may be given up.
@MainActor
private struct RestingLook {
    private let transform: CATransform3D
    private let alpha: CGFloat
    private let frame: CGRect
    private let isFilling: Bool

    init(of view: UIView) {
        (transform, alpha, frame, isFilling) = (view.transform3D, view.alpha, view.frame, view.isFilling)
    }

    /// Gives the view its look back, at once.
    func restore(_ view: UIView) {
        UIView.performWithoutAnimation {
            (view.transform3D, view.alpha, view.frame) = (transform, alpha, frame)
        }
        view.isFilling = isFilling
    }
}

/// Holds the views that take part in a transition, in front of everything else.
final class TransitionContainer: UIView {
    init(in window: UIView?) {
        super.init(frame: window?.bounds ?? .zero)
        // The window shows it for a controller, and not among its own views.
        superview = window
    }

    required init?(coder: NSCoder) {
        nil
    }

    /// Takes in the view of a controller, as large as it is, for the app to move it.
    func begin(with view: UIView) {
        isFilling = false
        if view.superview !== self { addSubview(view) }
    }

    /// Lets the view of a controller that has come follow the size of the window again.
    func settle(_ view: UIView) {
        if view.superview !== self { addSubview(view) }
        isFilling = true
        setNeedsDisplay()
    }

    /// Follows the size of the window.
    func follow(_ bounds: CGRect) {
        guard frame != bounds else { return }
        let wasFilling = isFilling
        frame = bounds
        isFilling = wasFilling
    }

    /// Gives back the views that a transition has taken in.
    func empty() {
        for view in subviews { view.removeFromSuperview() }
        superview = nil
    }
}
