/// Lets the user steer a transition.
@preconcurrency @MainActor
public protocol UIViewControllerInteractiveTransitioning: NSObjectProtocol {
    /// Begins the transition, which the user steers from now on.
    func startInteractiveTransition(_ transitionContext: any UIViewControllerContextTransitioning)

    /// Whether the user steers the transition from its start on. The default is `true`.
    var wantsInteractiveStart: Bool { get }
}

extension UIViewControllerInteractiveTransitioning {
    /// Is so, as in UIKit.
    public var wantsInteractiveStart: Bool { true }
}

/// Lets a part of a transition's animations be seen, as far as the user has come.
@preconcurrency @MainActor
open class UIPercentDrivenInteractiveTransition: NSObject, UIViewControllerInteractiveTransitioning {
    /// The number of seconds that the transition takes without the user.
    public private(set) var duration: CGFloat = 0
    /// The part of the transition that is seen, from 0 to 1.
    public private(set) var percentComplete: CGFloat = 0
    /// The speed of what is left once the user has let go, as a part of the usual one.
    ///
    /// The default is 1.
    open var completionSpeed: CGFloat = 1
    /// The curve of what is left; browsers go on along that of the animation.
    open var completionCurve = UIView.AnimationCurve.easeInOut
    /// Whether the user steers the transition from its start on.
    ///
    /// The default is `true`.
    open var wantsInteractiveStart = true
    /// The transition, of which the context doesn't tell.
    var animator: (any UIViewControllerAnimatedTransitioning)?
    private weak var context: (any UIViewControllerContextTransitioning)?
    private var steered: SteeredAnimations?

    /// Creates an object that steers one transition after another.
    public override init() {
        super.init()
    }

    /// Begins the transition, which stays at its start.
    open func startInteractiveTransition(_ transitionContext: any UIViewControllerContextTransitioning) {
        guard let animator else { return }
        context = transitionContext
        percentComplete = 0
        duration = CGFloat(animator.transitionDuration(using: transitionContext))
        let steered = SteeredAnimations()
        self.steered = steered
        steered.collect { animator.animateTransition(using: transitionContext) }
    }

    /// Shows a part of the transition, from 0 to 1.
    open func update(_ percentComplete: CGFloat) {
        self.percentComplete = percentComplete.isFinite ? min(max(percentComplete, 0), 1) : 0
        steered?.show(self.percentComplete)
        context?.updateInteractiveTransition(self.percentComplete)
    }

    /// Lets the transition go on to its end.
    open func finish() {
        context?.finishInteractiveTransition()
        end(at: 1)
    }

    /// Lets the transition go back to its start.
    open func cancel() {
        context?.cancelInteractiveTransition()
        end(at: 0)
    }

    private func end(at end: CGFloat) {
        let speed = completionSpeed.isFinite && completionSpeed > 0 ? completionSpeed : 1
        steered?.run(from: percentComplete, to: end, speed: Double(speed))
        (steered, animator) = (nil, nil)
    }
}
