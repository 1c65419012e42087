/// Holds the animations of a transition, of which the page shows the part that the user wants.
@MainActor
final class SteeredAnimations {
    /// Those that take in the animations that begin now.
    private(set) static var current: SteeredAnimations?

    private struct Part {
        let element: String
        let name: String
        let animation: PageAnimation
    }

    private weak var screen: (any ViewHost)? = UIScreen.current
    private var parts: [Part] = []
    private var completions: [(Bool) -> Void] = []

    /// Takes in the animations that begin in a closure.
    func collect(_ body: () -> Void) {
        let outer = Self.current
        Self.current = self
        body()
        Self.current = outer
        show(0)
    }

    /// Takes in an animation.
    func add(
        _ duration: TimeInterval,
        _ delay: TimeInterval,
        timing: String,
        _ animations: () -> Void,
        _ completion: ((Bool) -> Void)?
    ) {
        if let completion { completions.append(completion) }
        guard let screen, !screen.isDrawing, duration > 0 else { return animations() }
        UIScreen.drawPending()
        let recording = KeyframeRecording(of: screen)
        UIView.performWithoutAnimation(animations)
        recording.note(from: 0, to: 1)
        var runs = PlayedRuns(isEndless: false, isAlternating: false)
        runs.timing = timing
        take(recording.animations(for: duration, after: delay, runs))
    }

    /// Takes in an animation by keyframes.
    func add(_ animations: [(element: String, animation: PageAnimation)], _ completion: ((Bool) -> Void)?) {
        if let completion { completions.append(completion) }
        take(animations)
    }

    private func take(_ animations: [(element: String, animation: PageAnimation)]) {
        parts += animations.map { Part(element: $0.element, name: PageAnimation.newName(), animation: $0.animation) }
    }

    /// Shows a part, from 0 to 1.
    func show(_ part: CGFloat) {
        play(at: part, rate: 0)
    }

    /// Goes on from a part to the end, or back to the start, and tells of that.
    func run(from part: CGFloat, to end: CGFloat, speed: Double) {
        play(at: part, rate: end > 0.5 ? speed : -speed)
        let seconds = (parts.map { $0.animation.delay + $0.animation.duration }.max() ?? 0) / 1_000
        AnimationTime.wait(seconds * Double(abs(end - part)) / speed) { [self] in
            for completion in completions { completion(true) }
            screen?.stop(parts.map { (element: $0.element, name: $0.name) })
        }
    }

    private func play(at part: CGFloat, rate: Double) {
        for one in parts {
            var animation = one.animation
            animation.fill = "both"
            animation.position = (animation.delay + animation.duration) * Double(part)
            animation.rate = rate
            screen?.play(animation, as: one.name, on: one.element)
        }
    }
}
