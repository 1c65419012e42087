/// Says how the speed of an animation changes.
@preconcurrency @MainActor
public protocol UITimingCurveProvider: AnyObject {}

/// Changes the speed of an animation along a curve.
open class UICubicTimingParameters: NSObject, UITimingCurveProvider {
    let timing: TimingCurve

    /// Creates a curve of the system.
    public init(animationCurve curve: UIView.AnimationCurve) {
        timing = TimingCurve(named: curve.timing)
    }

    /// Creates a curve that two points steer, in parts of time and way.
    public init(controlPoint1 point1: CGPoint, controlPoint2 point2: CGPoint) {
        timing = TimingCurve(through: point1, point2)
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
    func curve(over duration: TimeInterval) -> (duration: TimeInterval, timing: TimingCurve) {
        let own = Spring(ratio: ratio, settlingIn: duration, velocity: Self.speed(initialVelocity))
        let seconds = physics?.settlingDuration ?? duration
        return (seconds, TimingCurve(along: physics ?? own, for: seconds))
    }
}

extension UITimingCurveProvider {
    /// Returns the curve of an animation that was to take some seconds, and the seconds that it takes.
    func timing(over duration: TimeInterval) -> (duration: TimeInterval, timing: TimingCurve) {
        if let spring = self as? UISpringTimingParameters { return spring.curve(over: duration) }
        return (duration, (self as? UICubicTimingParameters)?.timing ?? TimingCurve(named: "ease-in-out"))
    }
}
