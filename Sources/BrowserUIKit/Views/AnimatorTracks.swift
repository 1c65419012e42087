/// The way of an animator from one part of its animation to its end or start.
struct AnimatorMotion {
    let from: CGFloat
    let end: CGFloat
    /// The time at which it begins, as gestures tell it.
    let start: TimeInterval
    let seconds: TimeInterval
    let timing: TimingCurve
    /// The part of the curve that lies before its beginning; `nil` for a way along another curve than the animator's.
    var skipped: Double? = 0

    private func time(at now: TimeInterval) -> Double {
        seconds > 0 ? min(max((now - start) / seconds, 0), 1) : now < start ? 0 : 1
    }

    /// Returns the part that is shown at a time.
    func part(at now: TimeInterval) -> CGFloat { from + (end - from) * CGFloat(value(at: time(at: now))) }

    /// Returns the part of this way after a part of its time, along what is left of the curve.
    private func value(at time: Double) -> Double {
        guard let skipped, skipped > 0 else { return timing.value(at: time) }
        let before = timing.value(at: skipped)
        guard abs(1 - before) > 0.000_1 else { return time }
        return (timing.value(at: skipped + (1 - skipped) * time) - before) / (1 - before)
    }

    /// Returns the part of the animator's time that is over; `nil` for a way along another curve.
    func passed(at now: TimeInterval) -> Double? { skipped.map { $0 + (1 - $0) * time(at: now) } }

    /// Returns the seconds that the way takes from a time on.
    func secondsLeft(at now: TimeInterval) -> TimeInterval { seconds * (1 - time(at: now)) }

    /// The curve over the whole animation, for a style sheet.
    var css: String {
        let steps = 40
        let parts = (0...steps).map { part(at: start + seconds * Double($0) / Double(steps)) }
        return "linear(\(parts.dropLast().map(CSS.number).joined(separator: ",")),\(CSS.number(end)))"
    }
}

/// The look of a view, as far as an animator can give it back.
@MainActor
struct AnimatedLook {
    private let frame: CGRect
    private let isFilling: Bool
    private let alpha: CGFloat
    private let transform: CATransform3D
    private let background: UIColor?
    private let cornerRadius: CGFloat

    init(of view: UIView) {
        (frame, isFilling, alpha) = (view.frame, view.isFilling, view.alpha)
        (transform, background, cornerRadius) = (view.transform3D, view.backgroundColor, view.layer.cornerRadius)
    }

    func isEqual(to other: AnimatedLook) -> Bool {
        frame == other.frame && alpha == other.alpha && transform.numbers == other.transform.numbers
            && background?.css == other.background?.css && cornerRadius == other.cornerRadius
    }

    /// Gives a view what lies between this look and another one; a colour changes in the middle.
    func show(_ part: CGFloat, to other: AnimatedLook, on view: UIView) {
        func mix(_ one: CGFloat, _ two: CGFloat) -> CGFloat { part == 1 ? two : one + (two - one) * part }
        if alpha != other.alpha { view.alpha = min(max(mix(alpha, other.alpha), 0), 1) }
        if frame != other.frame {
            view.frame = CGRect(
                x: mix(frame.minX, other.frame.minX),
                y: mix(frame.minY, other.frame.minY),
                width: max(mix(frame.width, other.frame.width), 0),
                height: max(mix(frame.height, other.frame.height), 0)
            )
            view.isFilling = part <= 0 ? isFilling : other.isFilling
        }
        let (first, last) = (transform.numbers, other.transform.numbers)
        if first != last {
            let numbers = zip(first, last).map { mix($0, $1) }
            let rows = [numbers[0..<4], numbers[4..<8], numbers[8..<12], numbers[12..<16]]
            view.transform3D = CATransform3D(rows: rows.map { Array($0) })
        }
        if background?.css != other.background?.css {
            view.backgroundColor = part < 0.5 ? background : other.background
        }
        if cornerRadius != other.cornerRadius {
            view.layer.cornerRadius = max(mix(cornerRadius, other.cornerRadius), 0)
        }
    }
}

/// Holds what an animator has changed: what the page can show of it, and the looks of views before and after.
@MainActor
final class AnimatorTracks {
    private struct Track {
        let element: String
        let name: String
        let animation: PageAnimation
    }

    private struct LookChange {
        weak var view: UIView?
        let before: AnimatedLook
        var after: AnimatedLook
    }

    private weak var screen: (any ViewHost)?
    private var parts: [Track] = []
    private var changes: [LookChange] = []

    /// Takes in what a closure changes, which is shown from a part of the animation to its end.
    func record(from start: Double, _ body: () -> Void) {
        guard let current = UIScreen.current, !current.isDrawing else { return body() }
        UIScreen.drawPending()
        screen = current
        let recording = KeyframeRecording(of: current)
        let before = current.views.values.map { (view: $0, look: AnimatedLook(of: $0)) }
        body()
        recording.note(from: start, to: 1)
        for (view, look) in before { note(view, look) }
        let runs = PlayedRuns(isEndless: false, isAlternating: false)
        parts += recording.animations(for: 1, after: 0, runs).map {
            Track(element: $0.element, name: PageAnimation.newName(), animation: $0.animation)
        }
    }

    private func note(_ view: UIView, _ before: AnimatedLook) {
        let after = AnimatedLook(of: view)
        guard !after.isEqual(to: before) else { return }
        if let index = changes.firstIndex(where: { $0.view === view }) {
            changes[index].after = after
        } else {
            changes.append(LookChange(view: view, before: before, after: after))
        }
    }

    /// Has the page show a part, from 0 to 1.
    func show(_ part: CGFloat, isTouchable: Bool) {
        play { animation in
            animation.position = animation.duration * Double(part)
            animation.rate = 0
            animation.isTouchable = isTouchable
        }
    }

    /// Has the page show a way.
    func play(_ motion: AnimatorMotion, after delay: TimeInterval, isTouchable: Bool) {
        let css = motion.css
        play { animation in
            animation.duration = motion.seconds * 1_000
            animation.delay = delay * 1_000
            animation.timing = css
            animation.isTouchable = isTouchable
        }
    }

    private func play(_ change: (inout PageAnimation) -> Void) {
        endTransitions()
        for part in parts {
            var animation = part.animation
            animation.fill = "both"
            change(&animation)
            screen?.play(animation, as: part.name, on: part.element)
        }
    }

    /// Has the page show the values that the views have.
    func stop() {
        endTransitions()
        screen?.stop(parts.map { (element: $0.element, name: $0.name) })
    }

    /// Gives the views the values of a part, from 0 to 1.
    func settle(at part: CGFloat) {
        UIView.performWithoutAnimation {
            for change in changes {
                if let view = change.view { change.before.show(part, to: change.after, on: view) }
            }
        }
    }

    private func endTransitions() {
        for change in changes where change.view?.animation != nil {
            change.view?.animation = nil
            change.view?.setNeedsDisplay()
        }
    }
}
