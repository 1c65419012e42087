extension UIView {
    /// Says how an animation by keyframes runs.
    public struct KeyframeAnimationOptions: OptionSet, Sendable {
        /// One bit an option, and three for what lies between keyframes.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Arranges subviews along with the animation; browsers always do.
        public static let layoutSubviews = KeyframeAnimationOptions(rawValue: 1)
        /// Lets the user touch views while they move; browsers always do.
        public static let allowUserInteraction = KeyframeAnimationOptions(rawValue: 1 << 1)
        /// Starts where an earlier animation has come to; browsers always do.
        public static let beginFromCurrentState = KeyframeAnimationOptions(rawValue: 1 << 2)
        /// Runs again and again.
        public static let `repeat` = KeyframeAnimationOptions(rawValue: 1 << 3)
        /// Runs backwards after it has run.
        public static let autoreverse = KeyframeAnimationOptions(rawValue: 1 << 4)
        /// Takes its own duration inside of another animation; browsers always do.
        public static let overrideInheritedDuration = KeyframeAnimationOptions(rawValue: 1 << 5)
        /// Takes its own options inside of another animation; browsers always do.
        public static let overrideInheritedOptions = KeyframeAnimationOptions(rawValue: 1 << 9)
        /// Changes evenly between keyframes.
        public static let calculationModeLinear = KeyframeAnimationOptions([])
        /// Changes at keyframes alone.
        public static let calculationModeDiscrete = KeyframeAnimationOptions(rawValue: 1 << 10)
        /// Changes evenly over all; browsers take the times of keyframes.
        public static let calculationModePaced = KeyframeAnimationOptions(rawValue: 2 << 10)
        /// Changes along a curve through keyframes; browsers change evenly.
        public static let calculationModeCubic = KeyframeAnimationOptions(rawValue: 3 << 10)
        /// Changes evenly along such a curve; browsers take the times of keyframes.
        public static let calculationModeCubicPaced = KeyframeAnimationOptions(rawValue: 4 << 10)

        var runs: PlayedRuns {
            var runs = PlayedRuns(isEndless: contains(.repeat), isAlternating: contains(.autoreverse))
            runs.isDiscrete = rawValue >> 10 & 7 == 1
            runs.isTouchable = contains(.allowUserInteraction)
            return runs
        }
    }

    /// Makes changes by keyframes, which are shown one after another, and calls `completion` when they have come to
    /// their end.
    public class func animateKeyframes(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        options: KeyframeAnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        guard mayPlay, duration > 0 else {
            animations()
            completion?(true)
            return
        }
        playChanges(duration, delay, options.runs, animations, completion)
    }

    /// Whether the page can play changes by itself now: not while it is drawn.
    static var mayPlay: Bool { areAnimationsEnabled && UIScreen.current?.isDrawing == false }

    /// Makes changes, which the page plays by itself.
    static func playChanges(
        _ duration: TimeInterval,
        _ delay: TimeInterval,
        _ runs: PlayedRuns,
        _ animations: () -> Void,
        _ completion: ((Bool) -> Void)?
    ) {
        guard let screen = UIScreen.current else { return animations() }
        // What was changed before has to be on the page, or the animation would have nothing to start from.
        UIScreen.drawPending()
        let (outer, outerAnimation) = (KeyframeRecording.current, currentAnimation)
        let recording = KeyframeRecording(of: screen)
        KeyframeRecording.current = recording
        currentAnimation = nil
        animations()
        recording.note(from: 0, to: 1)
        (KeyframeRecording.current, currentAnimation) = (outer, outerAnimation)
        if let steered = SteeredAnimations.current {
            return steered.add(recording.animations(for: duration, after: delay, runs), completion)
        }
        let names = recording.play(for: duration, after: delay, runs)
        guard !runs.isEndless else { return }
        let total = max(delay, 0) + duration * (runs.isAlternating ? 2 : 1)
        CATransaction.wait(for: total)
        AnimationTime.wait(total) { [weak screen] in
            screen?.stop(names)
            completion?(true)
        }
    }

    /// Makes changes that are shown in a part of the time of an animation by keyframes, from 0 to 1.
    public class func addKeyframe(
        withRelativeStartTime frameStartTime: Double,
        relativeDuration frameDuration: Double,
        animations: @escaping () -> Void
    ) {
        guard let recording = KeyframeRecording.current else { return animations() }
        // What was changed beside keyframes goes over the whole time.
        recording.note(from: 0, to: 1)
        animations()
        recording.note(from: frameStartTime, to: frameStartTime + frameDuration)
    }
}

/// Says how often the page plays changes, and how.
struct PlayedRuns {
    let isEndless: Bool
    let isAlternating: Bool
    var isDiscrete = false
    /// The curve over all.
    var timing = "linear"
    /// Whether the user may touch what moves.
    var isTouchable = true
}

/// Notes how the elements of a screen look after each keyframe.
@MainActor
final class KeyframeRecording {
    static var current: KeyframeRecording?
    /// The properties that the page can move through values, as style sheets and as scripts name them.
    private static let properties = [
        "opacity": "opacity", "transform": "transform", "translate": "translate",
        "background-color": "backgroundColor", "border-radius": "borderRadius", "left": "left", "top": "top",
        "width": "width", "height": "height",
    ]
    /// The value of what a style doesn't name.
    private static let initial = [
        "opacity": "1", "transform": "none", "translate": "none", "background-color": "transparent",
        "border-radius": "0",
    ]

    /// Returns the name of a property in style sheets, by that in scripts.
    static func styleName(of property: String) -> String? { properties.first { $0.value == property }?.key }

    private struct Place: Hashable {
        let element: String
        let property: String
    }

    private struct Step {
        let offset: CGFloat
        let value: String
    }

    private let screen: any ViewHost
    private var looks: [String: Node]
    private var steps: [Place: [Step]] = [:]

    init(of screen: any ViewHost) {
        self.screen = screen
        looks = screen.shown
    }

    /// Notes what has changed since the last keyframe, as something that is shown from one moment to another.
    func note(from start: Double, to end: Double) {
        let now = screen.looks()
        for (id, node) in now {
            guard let before = looks[id], before.style != node.style else { continue }
            for name in Self.properties.keys {
                let (old, new) = (before.style[name], node.style[name])
                guard old != new, let first = old ?? Self.initial[name], let last = new ?? Self.initial[name] else {
                    continue
                }
                add(first, last, from: start, to: end, at: Place(element: id, property: name))
            }
        }
        looks = now
    }

    private func add(_ first: String, _ last: String, from start: Double, to end: Double, at place: Place) {
        let earliest = steps[place]?.last?.offset ?? 0
        let begin = min(max(CGFloat(start.isFinite ? start : 0), earliest), 1)
        let finish = min(max(CGFloat(end.isFinite ? end : 1), begin), 1)
        steps[place, default: []] += [Step(offset: begin, value: first), Step(offset: finish, value: last)]
    }

    /// Has the page show the keyframes; returns the names by which that is stopped, and their elements.
    func play(
        for duration: TimeInterval,
        after delay: TimeInterval,
        _ runs: PlayedRuns
    ) -> [(element: String, name: String)] {
        animations(for: duration, after: delay, runs).map { element, animation in
            let name = PageAnimation.newName()
            screen.stopEndless(animation.property, on: element)
            screen.play(animation, as: name, on: element)
            return (element: element, name: name)
        }
    }

    /// Returns what the page has to play, and on which elements.
    func animations(
        for duration: TimeInterval,
        after delay: TimeInterval,
        _ runs: PlayedRuns
    ) -> [(element: String, animation: PageAnimation)] {
        let places = steps.keys.sorted { ($0.element, $0.property) < ($1.element, $1.property) }
        return places.map { (element: $0.element, animation: animation(at: $0, for: duration, after: delay, runs)) }
    }

    private func animation(
        at place: Place,
        for duration: TimeInterval,
        after delay: TimeInterval,
        _ runs: PlayedRuns
    ) -> PageAnimation {
        var frames = steps[place] ?? []
        if let first = frames.first, first.offset > 0 { frames.insert(Step(offset: 0, value: first.value), at: 0) }
        if let last = frames.last, last.offset < 1 { frames.append(Step(offset: 1, value: last.value)) }
        var animation = PageAnimation(
            property: Self.properties[place.property] ?? place.property,
            values: frames.map(\.value),
            offsets: frames.map(\.offset),
            duration: duration * 1_000
        )
        animation.delay = max(delay, 0) * 1_000
        if runs.isDiscrete { animation.easings = frames.map { _ in "step-end" } }
        animation.timing = runs.timing
        animation.isTouchable = runs.isTouchable
        animation.isAlternating = runs.isAlternating
        animation.runs = runs.isEndless ? nil : runs.isAlternating ? 2 : 1
        animation.fill = "backwards"
        return animation
    }
}
