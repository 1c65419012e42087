/// Says how a change is shown gradually.
struct ViewAnimation: Equatable {
    let duration: TimeInterval
    let delay: TimeInterval
    let timing: String
    let number: Int
    /// Whether the user may touch what moves.
    let isTouchable: Bool

    var css: String { "all \(CSS.number(duration))s \(timing) \(CSS.number(delay))s" }
}

extension UIView {
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
        animate(duration, delay, timing: options.timing, options, animations, completion)
    }

    /// Makes changes that are shown as if a spring pulled, which swings beyond the end where it is damped little.
    ///
    /// The velocity is that of the start, in ways a second.
    public class func animate(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        usingSpringWithDamping dampingRatio: CGFloat,
        initialSpringVelocity velocity: CGFloat,
        options: AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        let spring = Spring(ratio: dampingRatio, settlingIn: duration, velocity: velocity)
        animate(duration, delay, timing: spring.css(over: duration), options, animations, completion)
    }

    private class func animate(
        _ duration: TimeInterval,
        _ delay: TimeInterval,
        timing: String,
        _ options: AnimationOptions,
        _ animations: @escaping () -> Void,
        _ completion: ((Bool) -> Void)?
    ) {
        if options.isPlayed, mayPlay, duration > 0 {
            var play = PlayedRuns(isEndless: options.contains(.repeat), isAlternating: options.contains(.autoreverse))
            (play.timing, play.isTouchable) = (timing, options.isTouchable)
            return playChanges(duration, delay, play, animations, completion)
        }
        run(duration, delay, timing: timing, isTouchable: options.isTouchable, animations, completion)
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

    static func run(
        _ duration: TimeInterval,
        _ delay: TimeInterval,
        timing: String,
        isTouchable: Bool = true,
        _ animations: () -> Void,
        _ completion: ((Bool) -> Void)?
    ) {
        guard areAnimationsEnabled else {
            animations()
            completion?(true)
            return
        }
        if let steered = SteeredAnimations.current {
            return steered.add(duration, delay, timing: timing, animations, completion)
        }
        // What was changed before has to be on the page, or the animation would have nothing to start from.
        UIScreen.drawPending()
        lastAnimation += 1
        let animation = ViewAnimation(
            duration: duration,
            delay: delay,
            timing: timing,
            number: lastAnimation,
            isTouchable: isTouchable
        )
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
            for view in views where view.movement == animation { view.endMovement() }
            completion?(true)
        }
    }

    func noteAnimation() {
        guard let current = UIView.currentAnimation else { return }
        animation = current
        UIView.animated.append(self)
    }

    /// Keeps touches from a view that moves, where the animation doesn't let them through.
    func noteMovement() {
        guard let current = UIView.currentAnimation, !current.isTouchable else { return }
        movement = current
    }

    func moved() {
        noteMovement()
        setNeedsDisplay()
    }

    private func endMovement() {
        movement = nil
        setNeedsDisplay()
    }
}
