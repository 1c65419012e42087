/// Says how a change is shown gradually.
struct ViewAnimation: Equatable {
    let duration: TimeInterval
    let delay: TimeInterval
    let timing: String
    let number: Int

    var css: String { "all \(CSS.number(duration))s \(timing) \(CSS.number(delay))s" }
}

extension UIView {
    /// Says how animations run.
    public struct AnimationOptions: OptionSet, Sendable {
        /// One bit an option, two for the curve.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Lets the user touch views while they move; browsers always do.
        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        /// Starts where an earlier animation has come to; browsers always do.
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
        /// Starts and ends slowly.
        public static let curveEaseInOut = AnimationOptions([])
        /// Starts slowly.
        public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16)
        /// Ends slowly.
        public static let curveEaseOut = AnimationOptions(rawValue: 2 << 16)
        /// Runs evenly.
        public static let curveLinear = AnimationOptions(rawValue: 3 << 16)
        /// Arranges subviews along with the animation; browsers always do.
        public static let layoutSubviews = AnimationOptions(rawValue: 1)
        /// Exchanges views by fading; browsers do so for every transition.
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
        /// Exchanges views by turning them over to the right; browsers fade.
        public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20)
        /// Exchanges views by turning them over to the left; browsers fade.
        public static let transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20)
        /// Exchanges views by turning a leaf upwards; browsers fade.
        public static let transitionCurlUp = AnimationOptions(rawValue: 3 << 20)
        /// Exchanges views by turning a leaf downwards; browsers fade.
        public static let transitionCurlDown = AnimationOptions(rawValue: 4 << 20)
        /// Exchanges views by turning them over downwards; browsers fade.
        public static let transitionFlipFromTop = AnimationOptions(rawValue: 6 << 20)
        /// Exchanges views by turning them over upwards; browsers fade.
        public static let transitionFlipFromBottom = AnimationOptions(rawValue: 7 << 20)

        var timing: String {
            ["ease-in-out", "ease-in", "ease-out", "linear"][Int(rawValue >> 16 & 3)]
        }
    }

    /// Names the curve of an animation.
    public enum AnimationCurve: Int, Sendable {
        /// Starts and ends slowly.
        case easeInOut = 0
        /// Starts slowly.
        case easeIn = 1
        /// Ends slowly.
        case easeOut = 2
        /// Runs evenly.
        case linear = 3

        var timing: String { ["ease-in-out", "ease-in", "ease-out", "linear"][rawValue] }
    }

    static var currentAnimation: ViewAnimation?
    private static var animated: [UIView] = []
    private static var lastAnimation = 0

    /// Makes changes that are shown gradually, and calls `completion` when they have come to their end.
    public class func animate(
        withDuration duration: TimeInterval,
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        animate(withDuration: duration, delay: 0, animations: animations, completion: completion)
    }

    /// Makes changes that are shown gradually after a delay, and calls `completion` when they have come to their end.
    public class func animate(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        options: AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        run(duration, delay, timing: options.timing, animations, completion)
    }

    /// Makes changes that are shown as if a spring pulled; browsers swing beyond the end once where it is damped
    /// little.
    public class func animate(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        usingSpringWithDamping dampingRatio: CGFloat,
        initialSpringVelocity velocity: CGFloat,
        options: AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        run(duration, delay, timing: springTiming(dampingRatio), animations, completion)
    }

    /// Makes changes in a view, which fade from what was before, and calls `completion` when they have come to their
    /// end.
    public class func transition(
        with view: UIView,
        duration: TimeInterval,
        options: AnimationOptions = [],
        animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        performWithoutAnimation { animations?() }
        guard areAnimationsEnabled else {
            completion?(true)
            return
        }
        performWithoutAnimation { view.transitionAlpha = 0 }
        run(duration, 0, timing: options.timing, { view.transitionAlpha = 1 }, completion)
    }

    /// Whether changes may be shown gradually.
    public private(set) static var areAnimationsEnabled = true

    /// Lets changes be shown gradually, or no longer.
    public class func setAnimationsEnabled(_ enabled: Bool) {
        areAnimationsEnabled = enabled
    }

    /// Makes changes that are shown at once, also within an animation.
    public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
        let (outer, wereEnabled) = (currentAnimation, areAnimationsEnabled)
        (currentAnimation, areAnimationsEnabled) = (nil, false)
        actionsWithoutAnimation()
        (currentAnimation, areAnimationsEnabled) = (outer, wereEnabled)
    }

    static func springTiming(_ dampingRatio: CGFloat) -> String {
        let overshoot = CSS.number(1 + max(0, min(1, 1 - dampingRatio)) * 0.9)
        return "cubic-bezier(0.25,\(overshoot),0.4,1)"
    }

    static func run(
        _ duration: TimeInterval,
        _ delay: TimeInterval,
        timing: String,
        _ animations: () -> Void,
        _ completion: ((Bool) -> Void)?
    ) {
        guard areAnimationsEnabled else {
            animations()
            completion?(true)
            return
        }
        // What was changed before has to be on the page, or the animation would have nothing to start from.
        BrowserScreen.drawPending()
        lastAnimation += 1
        let animation = ViewAnimation(duration: duration, delay: delay, timing: timing, number: lastAnimation)
        let (outer, outerViews) = (currentAnimation, animated)
        currentAnimation = animation
        animated = []
        animations()
        let views = animated
        currentAnimation = outer
        animated = outerViews
        CATransaction.wait(for: max(duration + delay, 0))
        AnimationTime.wait(max(duration + delay, 0)) {
            for view in views where view.animation == animation { view.animation = nil }
            completion?(true)
        }
    }

    func noteAnimation() {
        guard let current = UIView.currentAnimation else { return }
        animation = current
        UIView.animated.append(self)
    }
}
