/// Goes along with a change of size.
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
}

/// Browsers change the size at once.
final class ImmediateTransition: UIViewControllerTransitionCoordinator, UIViewControllerTransitionCoordinatorContext {
    let isAnimated = false

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        animation?(self)
        completion?(self)
        return true
    }
}
