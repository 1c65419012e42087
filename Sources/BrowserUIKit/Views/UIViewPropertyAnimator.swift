/// Says where an animation is.
public enum UIViewAnimatingPosition: Int, Sendable {
    /// At its end.
    case end = 0
    /// At its start.
    case start = 1
    /// In between.
    case current = 2
}

/// Says how far an animator has come.
public enum UIViewAnimatingState: Int, Sendable {
    /// It has not begun, or is over.
    case inactive = 0
    /// It runs, or is paused.
    case active = 1
    /// It was stopped, and has not come to an end.
    case stopped = 2
}

/// Says how the speed of an animation changes.
@preconcurrency @MainActor
public protocol UITimingCurveProvider: AnyObject {}

/// Changes the speed of an animation along a curve.
open class UICubicTimingParameters: NSObject, UITimingCurveProvider {
    let timing: String

    /// Creates a curve of the system.
    public init(animationCurve curve: UIView.AnimationCurve) {
        timing = curve.timing
    }

    /// Creates a curve that two points steer, in parts of time and way.
    public init(controlPoint1 point1: CGPoint, controlPoint2 point2: CGPoint) {
        // Time runs one way.
        let parts = [min(max(point1.x, 0), 1), point1.y, min(max(point2.x, 0), 1), point2.y].map(CSS.number)
        timing = "cubic-bezier(\(parts.joined(separator: ",")))"
    }
}

/// Changes the speed of an animation as a spring would.
open class UISpringTimingParameters: NSObject, UITimingCurveProvider {
    private let physics: Spring?
    private let ratio: CGFloat
    /// The speed at the start, in ways a second along each axis; browsers take that of the longer one.
    public let initialVelocity: CGVector

    private init(_ ratio: CGFloat, _ physics: Spring?, _ velocity: CGVector) {
        (self.ratio, self.physics, initialVelocity) = (ratio, physics, velocity)
        super.init()
    }

    /// Creates the spring of the system, which sets the duration itself.
    public convenience override init() {
        self.init(mass: 3, stiffness: 1_000, damping: 500, initialVelocity: .zero)
    }

    /// Creates a spring that rests at the end of the animation, and swings beyond the end below a ratio of 1.
    public convenience init(dampingRatio ratio: CGFloat) {
        self.init(ratio, nil, .zero)
    }

    /// Creates a spring that rests at the end of the animation, and begins with a speed.
    public convenience init(dampingRatio ratio: CGFloat, initialVelocity velocity: CGVector) {
        self.init(ratio, nil, velocity)
    }

    /// Creates a spring from its physics, which set the duration of the animation.
    public convenience init(mass: CGFloat, stiffness: CGFloat, damping: CGFloat, initialVelocity velocity: CGVector) {
        let speed = Self.speed(velocity)
        self.init(1, Spring(mass: mass, stiffness: stiffness, damping: damping, velocity: speed), velocity)
    }

    private class func speed(_ velocity: CGVector) -> CGFloat {
        abs(velocity.dx) > abs(velocity.dy) ? velocity.dx : velocity.dy
    }

    /// Returns the duration and the curve of an animation that was to take some seconds.
    func curve(over duration: TimeInterval) -> (duration: TimeInterval, timing: String) {
        let own = Spring(ratio: ratio, settlingIn: duration, velocity: Self.speed(initialVelocity))
        let seconds = physics?.settlingDuration ?? duration
        return (seconds, (physics ?? own).css(over: seconds))
    }
}

/// Makes changes gradually, when the app says so.
///
/// Browsers show an animation from its start to its end: one that is paused has come to its end on screen.
@preconcurrency @MainActor
open class UIViewPropertyAnimator: NSObject {
    /// The duration of the animation, in seconds.
    public let duration: TimeInterval
    /// The number of seconds after which it begins.
    public private(set) var delay: TimeInterval = 0
    /// The state of the animator.
    public private(set) var state = UIViewAnimatingState.inactive
    /// Whether the animation runs now.
    public private(set) var isRunning = false
    /// Whether the animation runs backwards; browsers run forwards.
    ///
    /// The default is `false`.
    open var isReversed = false
    /// Whether the app may pause and stop the animation.
    ///
    /// The default is `true`.
    open var isInterruptible = true
    /// Whether the user may touch views that move.
    ///
    /// The default is `true`.
    open var isUserInteractionEnabled = true
    /// The part of the animation that is over, from 0 to 1, where the app has moved it.
    open var fractionComplete: CGFloat = 0 {
        didSet { if state == .inactive { state = .active } }
    }
    private let timing: String
    private var animations: [() -> Void] = []
    private var completions: [(UIViewAnimatingPosition) -> Void] = []
    /// Tells runs of the animation apart: one that was stopped says nothing at its end.
    private var run = 0

    private init(duration: TimeInterval, timing: String, animations: (() -> Void)?) {
        self.duration = duration
        self.timing = timing
        self.animations = animations.map { [$0] } ?? []
    }

    /// Creates an animator with a curve of the system.
    public convenience init(duration: TimeInterval, curve: UIView.AnimationCurve, animations: (() -> Void)? = nil) {
        self.init(duration: duration, timing: curve.timing, animations: animations)
    }

    /// Creates an animator with a curve that two points steer.
    public convenience init(
        duration: TimeInterval,
        controlPoint1 point1: CGPoint,
        controlPoint2 point2: CGPoint,
        animations: (() -> Void)? = nil
    ) {
        let curve = UICubicTimingParameters(controlPoint1: point1, controlPoint2: point2)
        self.init(duration: duration, timing: curve.timing, animations: animations)
    }

    /// Creates an animator with a spring.
    public convenience init(duration: TimeInterval, dampingRatio ratio: CGFloat, animations: (() -> Void)? = nil) {
        let spring = UISpringTimingParameters(dampingRatio: ratio)
        self.init(duration: duration, timing: spring.curve(over: duration).timing, animations: animations)
    }

    /// Creates an animator with a curve or spring.
    public convenience init(duration: TimeInterval, timingParameters parameters: any UITimingCurveProvider) {
        let spring = (parameters as? UISpringTimingParameters)?.curve(over: duration)
        let timing = (parameters as? UICubicTimingParameters)?.timing ?? spring?.timing ?? "ease-in-out"
        self.init(duration: spring?.duration ?? duration, timing: timing, animations: nil)
    }

    /// Creates an animator that has begun.
    @discardableResult
    public class func runningPropertyAnimator(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        options: UIView.AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((UIViewAnimatingPosition) -> Void)? = nil
    ) -> Self {
        let animator = UIViewPropertyAnimator(duration: duration, timing: options.timing, animations: animations)
        if let completion { animator.addCompletion(completion) }
        animator.startAnimation(afterDelay: delay)
        return unsafeDowncast(animator, to: self)
    }

    /// Adds changes.
    open func addAnimations(_ animation: @escaping () -> Void) {
        animations.append(animation)
        if isRunning { begin(delay: 0) }
    }

    /// Adds changes that begin after a part of the duration; browsers begin all at once.
    open func addAnimations(_ animation: @escaping () -> Void, delayFactor: CGFloat) {
        addAnimations(animation)
    }

    /// Adds what is called at the end.
    open func addCompletion(_ completion: @escaping (UIViewAnimatingPosition) -> Void) {
        completions.append(completion)
    }

    /// Begins, or goes on.
    open func startAnimation() {
        startAnimation(afterDelay: 0)
    }

    /// Begins after some seconds.
    open func startAnimation(afterDelay delay: TimeInterval) {
        guard state != .stopped, !isRunning else { return }
        self.delay = delay
        begin(delay: delay)
    }

    private func begin(delay: TimeInterval) {
        state = .active
        isRunning = true
        run += 1
        let (number, changes) = (run, animations)
        animations = []
        let finish: (Bool) -> Void = { [self] _ in
            if run == number, isRunning { end(at: .end) }
        }
        let isTouchable = isUserInteractionEnabled
        let body = { for change in changes { change() } }
        UIView.run(duration, delay, timing: timing, isTouchable: isTouchable, body, finish)
    }

    /// Pauses the animation, which has come to its end on screen.
    open func pauseAnimation() {
        if state == .inactive { begin(delay: 0) }
        run += 1
        isRunning = false
    }

    /// Goes on after a pause.
    open func continueAnimation(
        withTimingParameters parameters: (any UITimingCurveProvider)?,
        durationFactor: CGFloat
    ) {
        startAnimation()
    }

    /// Stops the animation; without an end, ``finishAnimation(at:)`` has to follow.
    open func stopAnimation(_ withoutFinishing: Bool) {
        guard state == .active else { return }
        run += 1
        isRunning = false
        state = withoutFinishing ? .inactive : .stopped
    }

    /// Ends an animation that was stopped.
    open func finishAnimation(at finalPosition: UIViewAnimatingPosition) {
        guard state == .stopped else { return }
        end(at: finalPosition)
    }

    private func end(at position: UIViewAnimatingPosition) {
        isRunning = false
        state = .inactive
        for completion in completions { completion(position) }
    }
}
