/// Moves a layer through values, and leaves the layer as it is.
@preconcurrency @MainActor
open class CAAnimation: NSObject, CAMediaTiming {
    /// The time at which it begins, as `CACurrentMediaTime()` tells it, or in the group that it is in; 0 for now.
    open var beginTime: TimeInterval = 0
    /// The duration of one run, in seconds; 0 for that of the transaction or the group.
    open var duration: TimeInterval = 0
    /// The speed, beside that of what it is in.
    ///
    /// The default is 1.
    open var speed: Float = 1
    /// The number of runs; 0 for one.
    open var repeatCount: Float = 0
    /// The number of seconds for which it runs again and again; 0 where the number of runs says that.
    open var repeatDuration: TimeInterval = 0
    /// Whether each run goes backwards afterwards.
    ///
    /// The default is `false`.
    open var autoreverses = false
    /// Whether its values count before and after it.
    ///
    /// The default is `removed`.
    open var fillMode = CAMediaTimingFillMode.removed
    /// The curve over the duration; `nil` for an even pace.
    open var timingFunction: CAMediaTimingFunction?
    /// The object that hears of its start and its end, which the animation holds.
    open var delegate: (any CAAnimationDelegate)?
    /// Whether it is taken from its layer at its end.
    ///
    /// The default is `true`.
    open var isRemovedOnCompletion = true

    /// Creates an animation.
    public override init() {
        super.init()
    }

    /// Returns what the page has to play.
    func parts(on layer: CALayer, timing: AnimationSpan) -> [PageAnimation] { [] }
}

/// Moves a property of a layer, which a path names.
///
/// The page knows `opacity`, `position`, `backgroundColor`, `cornerRadius`, and of `transform` the `scale`, the
/// `translation` and the `rotation`, with their parts.
open class CAPropertyAnimation: CAAnimation {
    /// The path of the property.
    open var keyPath: String?
    /// Whether the values are added to what the layer has.
    ///
    /// The default is `false`.
    open var isAdditive = false

    /// Creates an animation of a property.
    public convenience init(keyPath path: String?) {
        self.init()
        keyPath = path
    }

    override func parts(on layer: CALayer, timing: AnimationSpan) -> [PageAnimation] {
        guard let keyPath, let property = AnimatedProperty(keyPath, of: layer) else { return [] }
        let steps = frames(of: property)
        guard steps.count > 1 else { return [] }
        let values = steps.map { step in
            property.write(isAdditive ? property.sum(property.current, step.value) : step.value)
        }
        var animation = timing.animation(property.name, values, steps.map(\.offset), steps.map(\.easing))
        if let timingFunction { animation.timing = timingFunction.css }
        return [animation]
    }

    struct Frame {
        let value: [CGFloat]
        let offset: CGFloat
        var easing = "linear"
    }

    /// Returns the values, each with its part of the time.
    func frames(of property: AnimatedProperty) -> [Frame] { [] }
}

/// Moves a property from one value to another.
///
/// What isn't given is what the layer has.
open class CABasicAnimation: CAPropertyAnimation {
    /// The first value.
    open var fromValue: Any?
    /// The last value.
    open var toValue: Any?
    /// The difference of both.
    open var byValue: Any?

    override func frames(of property: AnimatedProperty) -> [Frame] {
        let (from, to) = (fromValue.flatMap(property.read), toValue.flatMap(property.read))
        let by = byValue.flatMap(property.read)
        let now = isAdditive ? property.current.map { _ in 0 } : property.current
        let start = from ?? (to != nil && by != nil ? property.difference(to ?? now, by ?? now) : now)
        let end = to ?? by.map { property.sum(start, $0) } ?? now
        return [Frame(value: start, offset: 0), Frame(value: end, offset: 1)]
    }
}

/// Moves a property from one value to another as a spring would.
///
/// Give it its ``settlingDuration``, or it ends before it rests.
open class CASpringAnimation: CABasicAnimation {
    /// The mass of what hangs on the spring.
    ///
    /// The default is 1.
    open var mass: CGFloat = 1
    /// The stiffness of the spring.
    ///
    /// The default is 100.
    open var stiffness: CGFloat = 100
    /// The damping of the spring; the less, the longer it swings.
    ///
    /// The default is 10.
    open var damping: CGFloat = 10
    /// The speed at the start, in ways a second.
    ///
    /// The default is 0.
    open var initialVelocity: CGFloat = 0
    /// The number of seconds after which the spring rests.
    open var settlingDuration: TimeInterval { spring.settlingDuration }

    private var spring: Spring {
        Spring(mass: mass, stiffness: stiffness, damping: damping, velocity: initialVelocity)
    }

    override func parts(on layer: CALayer, timing: AnimationSpan) -> [PageAnimation] {
        let length = timing.duration * Double(timing.change.end - timing.change.start)
        let curve = spring.css(over: length * Double(speed > 0 ? speed : 1))
        return super.parts(on: layer, timing: timing).map { part in
            var part = part
            part.easings = part.easings.isEmpty ? part.values.map { _ in curve } : part.easings
            part.timing = "linear"
            return part
        }
    }
}

/// Moves a property through several values.
open class CAKeyframeAnimation: CAPropertyAnimation {
    /// The values.
    open var values: [Any]?
    /// The part of the time at which each value is reached, from 0 to 1; `nil` for even times.
    open var keyTimes: [NSNumber]?
    /// The curve from each value to the next; `nil` for an even pace.
    open var timingFunctions: [CAMediaTimingFunction]?

    override func frames(of property: AnimatedProperty) -> [Frame] {
        let found = (values ?? []).compactMap(property.read)
        let times = (keyTimes ?? []).map { CGFloat($0.doubleValue) }
        let isGiven = times.count == found.count && times.first == 0 && times.last == 1 && times == times.sorted()
        return found.enumerated().map { index, value in
            let even = found.count > 1 ? CGFloat(index) / CGFloat(found.count - 1) : 0
            var frame = Frame(value: value, offset: isGiven ? times[index] : even)
            if let timingFunctions, timingFunctions.indices.contains(index) {
                frame.easing = timingFunctions[index].css
            }
            return frame
        }
    }
}

/// Runs animations together.
open class CAAnimationGroup: CAAnimation {
    /// The animations, whose times begin with the group.
    open var animations: [CAAnimation]?

    override func parts(on layer: CALayer, timing: AnimationSpan) -> [PageAnimation] {
        (animations ?? []).flatMap { animation in
            var parts = animation.parts(on: layer, timing: timing.part(of: animation))
            if let timingFunction {
                for index in parts.indices where animation.timingFunction == nil {
                    parts[index].timing = timingFunction.css
                }
            }
            return parts
        }
    }
}

/// Hears of the start and the end of animations.
@preconcurrency @MainActor
public protocol CAAnimationDelegate: NSObjectProtocol {
    /// Is called when an animation begins.
    func animationDidStart(_ anim: CAAnimation)

    /// Is called when an animation ends; it isn't finished where it was taken from its layer before.
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool)
}

// Every requirement is optional, as in QuartzCore.
extension CAAnimationDelegate {
    /// Does nothing.
    public func animationDidStart(_ anim: CAAnimation) {}

    /// Does nothing.
    public func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {}
}
