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

/// Makes changes gradually, when the app says so, and lets it pause them, turn them around and show any part of them.
///
/// What is paused, turned or steered moves what animations by keyframes move; see `UIView.animateKeyframes`.
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
    /// Whether the animation runs backwards, from where it is.
    ///
    /// The default is `false`.
    open var isReversed = false {
        didSet {
            guard isReversed != oldValue else { return }
            scrubbed = nil
            if isRunning { move(over: timeLeft, along: timing) }
        }
    }
    /// Whether the app may pause and stop the animation; it has to run to its end otherwise.
    ///
    /// As in UIKit, it is an error to set it while the animator isn't inactive. The default is `true`.
    open var isInterruptible = true { didSet { requireInactivity() } }
    /// Whether the user may touch views that move.
    ///
    /// As in UIKit, it is an error to set it while the animator isn't inactive. The default is `true`.
    open var isUserInteractionEnabled = true { didSet { requireInactivity() } }
    /// Whether the app finds the views that touches are for while they move; browsers ask `hitTest(_:with:)` in any
    /// case.
    ///
    /// The default is `false`.
    open var isManualHitTestingEnabled = false
    /// Whether ``fractionComplete`` is a part of the way while the animation is paused; of the time otherwise, so that
    /// what is shown follows the curve of the animation.
    ///
    /// The default is `true`.
    open var scrubsLinearly = true
    /// Whether the animator stays active at the end, where the app can turn it around, until it is stopped.
    ///
    /// Then nothing is called at the end.
    ///
    /// The default is `false`.
    open var pausesOnCompletion = false
    /// The part of the animation that is over, from 0 to 1, in the direction in which it runs.
    ///
    /// Setting it pauses the animation there.
    open var fractionComplete: CGFloat {
        get {
            if let passed { return CGFloat(passed) }
            return min(max(isReversed ? 1 - progress : progress, 0), 1)
        }
        set {
            pauseAnimation()
            guard state == .active, !isRunning else { return }
            let part = newValue.isFinite ? min(max(newValue, 0), 1) : 0
            let way = scrubsLinearly ? part : CGFloat(timing.value(at: Double(part)))
            rest(at: isReversed ? 1 - way : way)
            if !scrubsLinearly { scrubbed = Double(part) }
        }
    }

    private let timing: TimingCurve
    private var animations: [(delayFactor: Double, body: () -> Void)] = []
    private var completions: [(UIViewAnimatingPosition) -> Void] = []
    /// Tells runs of the animation apart: one that was stopped says nothing at its end.
    private var run = 0
    private var tracks = AnimatorTracks()
    /// The way that is made now.
    private var motion: AnimatorMotion?
    /// The part of the way from start to end, while nothing moves.
    private var restingPart: CGFloat = 0
    /// The part of the time at which it was paused, where what is shown follows the curve.
    private var scrubbed: Double?

    private init(duration: TimeInterval, timing: TimingCurve, animations: (() -> Void)?) {
        self.duration = duration
        self.timing = timing
        super.init()
        if let animations { self.animations = [(delayFactor: 0, body: animations)] }
    }

    /// Creates an animator with a curve of the system.
    public convenience init(duration: TimeInterval, curve: UIView.AnimationCurve, animations: (() -> Void)? = nil) {
        self.init(duration: duration, timing: TimingCurve(named: curve.timing), animations: animations)
    }

    /// Creates an animator with a curve that two points steer.
    public convenience init(
        duration: TimeInterval,
        controlPoint1 point1: CGPoint,
        controlPoint2 point2: CGPoint,
        animations: (() -> Void)? = nil
    ) {
        self.init(duration: duration, timing: TimingCurve(through: point1, point2), animations: animations)
    }

    /// Creates an animator with a spring.
    public convenience init(duration: TimeInterval, dampingRatio ratio: CGFloat, animations: (() -> Void)? = nil) {
        let spring = UISpringTimingParameters(dampingRatio: ratio)
        self.init(duration: duration, timing: spring.curve(over: duration).timing, animations: animations)
    }

    /// Creates an animator with a curve or spring.
    public convenience init(duration: TimeInterval, timingParameters parameters: any UITimingCurveProvider) {
        let given = parameters.timing(over: duration)
        self.init(duration: given.duration, timing: given.timing, animations: nil)
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
        let timing = TimingCurve(named: options.timing)
        let animator = UIViewPropertyAnimator(duration: duration, timing: timing, animations: animations)
        if let completion { animator.addCompletion(completion) }
        animator.startAnimation(afterDelay: delay)
        return unsafeDowncast(animator, to: self)
    }

    /// Adds changes; while the animator is active, they take what is left of the time.
    open func addAnimations(_ animation: @escaping () -> Void) {
        addAnimations(animation, delayFactor: 0)
    }

    /// Adds changes that begin after a part of the time that is left.
    open func addAnimations(_ animation: @escaping () -> Void, delayFactor: CGFloat) {
        let factor = delayFactor.isFinite ? Double(min(max(delayFactor, 0), 1)) : 0
        guard state == .active else { return animations.append((delayFactor: factor, body: animation)) }
        let (part, left) = (Double(progress), timeLeft)
        tracks.record(from: part + factor * (1 - part)) { [self] in
            guard isRunning else { return UIView.performWithoutAnimation(animation) }
            let (seconds, isTouchable) = (left * (1 - factor), isUserInteractionEnabled)
            UIView.run(seconds, left * factor, timing: timing.css, isTouchable: isTouchable, animation, nil)
        }
        if !isRunning { rest(at: restingPart) }
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
        if state == .active { return move(over: timeLeft, after: delay, along: timing, skipping: passed) }
        if isReversed {
            prepare()
            return move(over: duration, after: delay, along: timing)
        }
        begin(after: delay)
    }

    /// Pauses the animation where it is; one that has not begun is active then, at its start.
    open func pauseAnimation() {
        guard isInterruptible, state != .stopped else { return }
        if state == .inactive { prepare() }
        let time = passed
        rest(at: progress)
        scrubbed = time
    }

    /// Goes on after a pause, along another curve if one is given.
    ///
    /// The rest takes the duration times a factor; with a factor of 0 the time that is left.
    open func continueAnimation(
        withTimingParameters parameters: (any UITimingCurveProvider)?,
        durationFactor: CGFloat
    ) {
        guard state == .active, !isRunning else { return }
        let seconds = durationFactor > 0 && durationFactor.isFinite ? duration * Double(durationFactor) : timeLeft
        let given = parameters?.timing(over: seconds)
        let skipped = given == nil ? passed : nil
        move(over: given?.duration ?? seconds, along: given?.timing ?? timing, skipping: skipped)
    }

    /// Stops the animation where it is; without an end, ``finishAnimation(at:)`` has to follow.
    ///
    /// The views have the values that they show from then on.
    open func stopAnimation(_ withoutFinishing: Bool) {
        guard isInterruptible, state == .active else { return }
        let part = progress
        run += 1
        (isRunning, motion, restingPart) = (false, nil, part)
        tracks.stop()
        tracks.settle(at: part)
        state = withoutFinishing ? .inactive : .stopped
        if withoutFinishing { forget() }
    }

    /// Ends an animation that was stopped; the views have the values of that position.
    open func finishAnimation(at finalPosition: UIViewAnimatingPosition) {
        guard state == .stopped else { return }
        if finalPosition != .current { tracks.settle(at: finalPosition == .end ? 1 : 0) }
        end(at: finalPosition)
    }
}

// MARK: Moving

extension UIViewPropertyAnimator {
    /// The part of the way from start to end that is shown.
    private var progress: CGFloat { motion?.part(at: UIPanGestureRecognizer.now()) ?? restingPart }

    private var goal: CGFloat { isReversed ? 0 : 1 }

    /// The part of the time that is over, where what is shown follows the curve of the animation.
    private var passed: Double? {
        guard !scrubsLinearly else { return nil }
        return motion?.passed(at: UIPanGestureRecognizer.now()) ?? scrubbed
    }

    private func requireInactivity() {
        // safe: an app that changes this while views move is wrong, and ends on iOS too
        precondition(state == .inactive, "It can be set while the animator is inactive alone.")
    }

    /// The seconds until the end, at the usual speed.
    private var timeLeft: TimeInterval {
        if let motion, motion.end == goal { return motion.secondsLeft(at: UIPanGestureRecognizer.now()) }
        return duration * (1 - (passed ?? 1 - Double(min(abs(goal - progress), 1))))
    }

    /// Makes the changes, of which the page shows none yet.
    private func prepare() {
        state = .active
        for (factor, body) in takeAnimations() {
            tracks.record(from: factor) { UIView.performWithoutAnimation(body) }
        }
        rest(at: isReversed ? 1 : 0)
    }

    private func takeAnimations() -> [(delayFactor: Double, body: () -> Void)] {
        defer { animations = [] }
        return animations
    }

    /// Makes the changes, which the page shows by itself as long as nobody pauses or turns them.
    private func begin(after delay: TimeInterval) {
        (state, isRunning) = (.active, true)
        run += 1
        let (number, isTouchable) = (run, isUserInteractionEnabled)
        let start = UIPanGestureRecognizer.now() + max(delay, 0)
        (motion, scrubbed) = (AnimatorMotion(from: 0, end: 1, start: start, seconds: duration, timing: timing), nil)
        var groups = Dictionary(grouping: takeAnimations()) { $0.delayFactor }.sorted { $0.key < $1.key }
        if groups.isEmpty { groups = [(key: 0, value: [])] }
        let finish: (Bool) -> Void = { [self] _ in
            if run == number { arrive() }
        }
        for (index, group) in groups.enumerated() {
            let (seconds, pause) = (duration * (1 - group.key), delay + duration * group.key)
            let body = { for change in group.value { change.body() } }
            // All of them end at once.
            let end = index == groups.indices.last ? finish : nil
            tracks.record(from: group.key) {
                UIView.run(seconds, pause, timing: timing.css, isTouchable: isTouchable, body, end)
            }
        }
    }

    /// Shows a part, and moves no further.
    private func rest(at part: CGFloat) {
        run += 1
        (isRunning, motion, restingPart, scrubbed) = (false, nil, part, nil)
        tracks.show(part, isTouchable: isUserInteractionEnabled)
    }

    /// Moves from where it is to the end, or back to the start.
    private func move(
        over seconds: TimeInterval,
        after delay: TimeInterval = 0,
        along timing: TimingCurve,
        skipping skipped: Double? = nil
    ) {
        let (from, pause) = (progress, max(delay, 0))
        run += 1
        isRunning = true
        let number = run
        let start = UIPanGestureRecognizer.now() + pause
        var way = AnimatorMotion(from: from, end: goal, start: start, seconds: max(seconds, 0), timing: timing)
        way.skipped = skipped
        (motion, scrubbed) = (way, nil)
        tracks.play(way, after: pause, isTouchable: isUserInteractionEnabled)
        AnimationTime.wait(way.seconds + pause) { [self] in
            if run == number { arrive() }
        }
    }

    private func arrive() {
        guard isRunning, let motion else { return }
        if pausesOnCompletion { return rest(at: motion.end) }
        // The views have the values of the end since the animation began.
        if motion.end == 0 { tracks.settle(at: 0) }
        end(at: motion.end == 0 ? .start : .end)
    }

    private func end(at position: UIViewAnimatingPosition) {
        (isRunning, motion, restingPart, state) = (false, nil, 0, .inactive)
        let due = completions
        forget()
        for completion in due { completion(position) }
    }

    private func forget() {
        tracks.stop()
        tracks = AnimatorTracks()
        (animations, completions) = ([], [])
    }
}
