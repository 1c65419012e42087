extension UINavigationController {
    /// Says how another controller comes to the top.
    public enum Operation: Int, Sendable {
        /// By neither.
        case none = 0
        /// It is pushed.
        case push = 1
        /// The one above it is popped.
        case pop = 2
    }

    /// Shows a controller by the transition that the delegate gives; returns whether there is one.
    func transit(
        from old: UIViewController,
        to new: UIViewController,
        _ operation: Operation,
        end: @escaping (Bool) -> Void
    ) -> Bool {
        guard UIView.areAnimationsEnabled, let window = hostWindow, let delegate,
            let animator = delegate.navigationController(self, animationControllerFor: operation, from: old, to: new)
        else { return false }
        let container = TransitionContainer(in: window)
        let size = old.view.bounds.isEmpty ? view.bounds.size : old.view.bounds.size
        container.frame = CGRect(origin: .zero, size: size)
        container.take(old.view, in: view)
        let (transform, alpha) = (old.view.transform, old.view.alpha)
        old.beginExchange(for: new, animated: true)
        let transition = Transition(from: old, to: new, in: container) { [self] isDone in
            running = nil
            container.release([old.view, new.view])
            // What is given up leaves the controller that stays as it was.
            if !isDone { (old.view.transform, old.view.alpha) = (transform, alpha) }
            old.endExchange(for: new, isDone: isDone, animated: true)
            end(isDone)
            view.setNeedsDisplay()
            if isDone { self.delegate?.navigationController(self, didShow: new, animated: true) }
        }
        transition.takesAllViews = true
        running = (transition, container)
        view.setNeedsDisplay()
        let steering = delegate.navigationController(self, interactionControllerFor: animator)
        transition.run(animator, steeredBy: steering)
        return true
    }

    /// Ends the transition that runs, before another change: as the user has left it.
    func endTransition() {
        giveUpEdge()
        guard let transition = running?.transition else { return }
        transition.completeTransition(!transition.transitionWasCancelled)
    }
}

extension TransitionContainer {
    /// Takes in the view of a controller that is shown, without telling that it goes and comes.
    func take(_ view: UIView, in outer: UIView) {
        superview?.subviews.removeAll { $0 === self }
        superview = outer
        outer.subviews.append(self)
        subviews = [view]
        view.superview = self
    }

    /// Gives back views of controllers, without telling that they go and come.
    func release(_ views: [UIView]) {
        for view in views where view.superview === self {
            view.superview = nil
            view.frame = bounds
            view.isFilling = true
        }
        subviews = []
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }
}
