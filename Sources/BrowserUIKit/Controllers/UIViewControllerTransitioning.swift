/// Names a controller that takes part in a transition.
public struct UITransitionContextViewControllerKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a key from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The controller that is shown before.
    public static let from = Self(rawValue: "UITransitionContextFromViewController")
    /// The controller that is shown afterwards.
    public static let to = Self(rawValue: "UITransitionContextToViewController")
}

/// Names a view that takes part in a transition.
public struct UITransitionContextViewKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a key from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The view that is shown before.
    public static let from = Self(rawValue: "UITransitionContextFromView")
    /// The view that is shown afterwards.
    public static let to = Self(rawValue: "UITransitionContextToView")
}

/// Gives the transitions by which a controller is presented and dismissed.
@preconcurrency @MainActor
public protocol UIViewControllerTransitioningDelegate: NSObjectProtocol {
    /// Returns the transition by which a controller is presented; `nil` for that of the system.
    func animationController(
        forPresented presented: UIViewController,
        presenting: UIViewController,
        source: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)?

    /// Returns the transition by which a controller is dismissed; `nil` for that of the system.
    func animationController(forDismissed dismissed: UIViewController) -> (any UIViewControllerAnimatedTransitioning)?

    /// Returns the object by which the user steers a presentation; `nil` for one that runs by itself.
    func interactionControllerForPresentation(
        using animator: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)?

    /// Returns the object by which the user steers a dismissal; `nil` for one that runs by itself.
    func interactionControllerForDismissal(
        using animator: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)?
}

// Every requirement is optional, as in UIKit.
extension UIViewControllerTransitioningDelegate {
    /// Leaves it to the system.
    public func animationController(
        forPresented presented: UIViewController,
        presenting: UIViewController,
        source: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? { nil }

    /// Leaves it to the system.
    public func animationController(
        forDismissed dismissed: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? { nil }

    /// Lets presentations run by themselves.
    public func interactionControllerForPresentation(
        using animator: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)? { nil }

    /// Lets dismissals run by themselves.
    public func interactionControllerForDismissal(
        using animator: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)? { nil }
}

/// Shows a transition from one controller to another.
@preconcurrency @MainActor
public protocol UIViewControllerAnimatedTransitioning: NSObjectProtocol {
    /// Returns the number of seconds that the transition takes.
    func transitionDuration(using transitionContext: (any UIViewControllerContextTransitioning)?) -> TimeInterval

    /// Shows the transition; in the end, it has to call `completeTransition(_:)`.
    func animateTransition(using transitionContext: any UIViewControllerContextTransitioning)

    /// Is called after the transition.
    func animationEnded(_ transitionCompleted: Bool)
}

extension UIViewControllerAnimatedTransitioning {
    /// Does nothing: the requirement is optional, as in UIKit.
    public func animationEnded(_ transitionCompleted: Bool) {}
}

/// Tells what takes part in a transition, and hears of its end.
@preconcurrency @MainActor
public protocol UIViewControllerContextTransitioning: NSObjectProtocol {
    /// The view that the views which move have to be in.
    var containerView: UIView { get }
    /// Whether the transition is shown gradually.
    var isAnimated: Bool { get }
    /// Whether the user steers the transition.
    var isInteractive: Bool { get }
    /// Whether the transition was given up.
    var transitionWasCancelled: Bool { get }
    /// The style in which the controller is presented.
    var presentationStyle: UIModalPresentationStyle { get }

    /// Says how far the user has come.
    func updateInteractiveTransition(_ percentComplete: CGFloat)

    /// Says that the user has let the transition go on to its end.
    func finishInteractiveTransition()

    /// Says that the user has given the transition up.
    func cancelInteractiveTransition()

    /// Ends the transition; without success, everything is as it was before.
    func completeTransition(_ didComplete: Bool)

    /// Returns a controller that takes part.
    func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController?

    /// Returns a view that takes part; `nil` for one that stays where it is.
    func view(forKey key: UITransitionContextViewKey) -> UIView?

    /// Returns the place of a controller's view before the transition; empty where it isn't shown.
    func initialFrame(for vc: UIViewController) -> CGRect

    /// Returns the place of a controller's view after the transition; empty where it isn't shown.
    func finalFrame(for vc: UIViewController) -> CGRect
}

/// One transition from a controller to another, of which one presents the other.
final class Transition: NSObject, UIViewControllerContextTransitioning {
    let containerView: UIView
    let isAnimated = true
    private(set) var isInteractive = false
    private(set) var transitionWasCancelled = false
    /// Whether the views of both controllers take part, as in a stack.
    var takesAllViews = false
    private let from: UIViewController
    private let to: UIViewController
    private var animator: (any UIViewControllerAnimatedTransitioning)?
    private var end: ((Bool) -> Void)?

    init(
        from: UIViewController,
        to: UIViewController,
        in container: UIView,
        end: @escaping (Bool) -> Void
    ) {
        (self.from, self.to) = (from, to)
        containerView = container
        self.end = end
        super.init()
    }

    /// Shows the transition, or lets the user steer it.
    func run(
        _ animator: any UIViewControllerAnimatedTransitioning,
        steeredBy steering: (any UIViewControllerInteractiveTransitioning)?
    ) {
        self.animator = animator
        guard let steering, steering.wantsInteractiveStart else { return animator.animateTransition(using: self) }
        isInteractive = true
        (steering as? UIPercentDrivenInteractiveTransition)?.animator = animator
        steering.startInteractiveTransition(self)
    }

    func updateInteractiveTransition(_ percentComplete: CGFloat) {}

    func finishInteractiveTransition() {
        isInteractive = false
    }

    func cancelInteractiveTransition() {
        isInteractive = false
        transitionWasCancelled = true
    }

    private var presented: UIViewController { to.presenter === from ? to : from }

    var presentationStyle: UIModalPresentationStyle { presented.modalPresentationStyle }

    func completeTransition(_ didComplete: Bool) {
        guard let end else { return }
        let animator = animator
        // An animator may keep this, which keeps it no longer.
        (self.end, self.animator) = (nil, nil)
        transitionWasCancelled = !didComplete
        isInteractive = false
        end(didComplete)
        animator?.animationEnded(didComplete)
    }

    func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController? {
        key == .from ? from : key == .to ? to : nil
    }

    /// The presenting view is taken along where the other one covers it entirely.
    func view(forKey key: UITransitionContextViewKey) -> UIView? {
        let controller: UIViewController? = key == .from ? from : key == .to ? to : nil
        guard let controller else { return nil }
        return takesAllViews || controller === presented || presentationStyle == .fullScreen ? controller.view : nil
    }

    func initialFrame(for vc: UIViewController) -> CGRect { vc === from ? containerView.bounds : .zero }

    func finalFrame(for vc: UIViewController) -> CGRect { vc === to ? containerView.bounds : .zero }
}
