/// Goes along with a change of size, or with a controller that comes to the screen.
@preconcurrency @MainActor
public protocol UIViewControllerTransitionCoordinator: AnyObject {
    /// Runs changes along with the transition, and calls `completion` after it.
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}

/// Tells about a transition.
@preconcurrency @MainActor
public protocol UIViewControllerTransitionCoordinatorContext: AnyObject {
    /// Whether the transition is shown gradually.
    var isAnimated: Bool { get }
    /// Whether the user steers the transition; browsers show it by themselves.
    var isInteractive: Bool { get }
    /// Whether the transition was given up; browsers give none up.
    var isCancelled: Bool { get }
    /// The time that the transition takes, in seconds.
    var transitionDuration: TimeInterval { get }
}

/// Browsers change the size at once.
final class ImmediateTransition: UIViewControllerTransitionCoordinator, UIViewControllerTransitionCoordinatorContext {
    let isAnimated = false
    let isInteractive = false
    let isCancelled = false
    let transitionDuration: TimeInterval = 0

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        animation?(self)
        completion?(self)
        return true
    }
}
