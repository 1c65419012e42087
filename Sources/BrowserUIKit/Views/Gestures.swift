/// Finds taps.
open class UITapGestureRecognizer: UIGestureRecognizer {
    /// The number of taps that make the gesture.
    ///
    /// The default is 1.
    open var numberOfTapsRequired = 1
    /// The number of fingers that make it; browsers tell of one.
    ///
    /// The default is 1.
    open var numberOfTouchesRequired = 1

    override var attributes: [String: String] { ["data-tap": ""] }

    /// The time that a tap waits for another one, in seconds.
    private static let patience: TimeInterval = 0.35
    /// Calls back after some seconds.
    static var wait: @MainActor (TimeInterval, @escaping @MainActor () -> Void) -> Void = Delay.call
    /// Keys and assistive devices tap as often as is needed.
    override func take(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind else { return false }
        guard event.tapCount == 0 || event.tapCount == numberOfTapsRequired, mayBegin() else { return false }
        if let touch = event.touch { move(to: touch.point, in: touch.point) }
        let longer = required.compactMap { $0 as? UITapGestureRecognizer }
            .filter { $0.numberOfTapsRequired > numberOfTapsRequired }
        guard event.tapCount > 0, !longer.isEmpty else {
            tell(.ended)
            return true
        }
        let counts = longer.map(\.foundCount)
        Self.wait(Self.patience) { [weak self] in
            if longer.map(\.foundCount) == counts { self?.tell(.ended) }
        }
        return true
    }

    /// The number of times the gesture was found.
    private var foundCount = 0

    override func tell(_ state: State) {
        foundCount += 1
        super.tell(state)
    }
}

/// Finds a finger that stays where it is.
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    /// The number of seconds after which the gesture begins.
    ///
    /// The default is 0.5.
    open var minimumPressDuration: TimeInterval = 0.5 { didSet { view?.setNeedsDisplay() } }
    /// The number of points that the finger can move before; browsers take 10.
    ///
    /// The default is 10.
    open var allowableMovement: CGFloat = 10
    /// The number of taps that come before.
    ///
    /// The default is 0.
    open var numberOfTapsRequired = 0

    override var attributes: [String: String] {
        let seconds = minimumPressDuration.isFinite ? min(max(minimumPressDuration, 0), 60) : 0.5
        return ["data-hold": CSS.number(seconds * 1_000)]
    }

    override func take(_ event: BrowserEvent) -> Bool {
        guard case .hold(let report) = event.kind else { return false }
        move(to: report.point)
        switch report.phase {
        case .moved where report.isFirst:
            guard mayBegin() else { return false }
            tell(.began)
        case .moved where state != .possible: tell(.changed)
        case .ended where state != .possible: tell(.ended)
        case .cancelled where state != .possible: tell(.cancelled)
        default: return false
        }
        return true
    }
}

/// Follows a finger.
open class UIPanGestureRecognizer: UIGestureRecognizer {
    /// The least number of fingers that make the gesture; browsers tell of one.
    ///
    /// The default is 1.
    open var minimumNumberOfTouches = 1
    /// The greatest number of fingers that make the gesture; browsers tell of one.
    ///
    /// The default is as many as there can be.
    open var maximumNumberOfTouches = Int.max
    private(set) var origin = CGPoint.zero
    private var last: (point: CGPoint, time: TimeInterval)?
    private var speed = CGPoint.zero
    /// Tells the time, in seconds from any moment.
    static var now: () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }

    override var attributes: [String: String] { [FollowedMoves.attribute: FollowedMoves.all.rawValue] }

    /// Returns how far the finger has come since the gesture began, in points.
    open func translation(in view: UIView?) -> CGPoint {
        CGPoint(x: place.window.x - origin.x, y: place.window.y - origin.y)
    }

    /// Returns how fast the finger moves, in points a second.
    open func velocity(in view: UIView?) -> CGPoint { speed }

    /// Measures over what was told last: what comes at one moment counts as one move.
    private func measure(_ point: CGPoint, isFirst: Bool) {
        let time = Self.now()
        defer { if isFirst || time > last?.time ?? 0 { last = (point, time) } }
        guard !isFirst, let last, time > last.time else { return }
        let seconds = max(time - last.time, 0.001)
        speed = CGPoint(x: (point.x - last.point.x) / seconds, y: (point.y - last.point.y) / seconds)
    }

    /// Counts the way from a translation on.
    open func setTranslation(_ translation: CGPoint, in view: UIView?) {
        origin = CGPoint(x: place.window.x - translation.x, y: place.window.y - translation.y)
    }

    override func take(_ event: BrowserEvent) -> Bool {
        guard case .touch(let report) = event.kind else { return false }
        move(to: report.point)
        switch report.phase {
        case .moved where report.isFirst:
            origin = report.start
            (speed, last) = (.zero, nil)
            measure(report.point, isFirst: true)
            guard mayBegin() else { return false }
            tell(.began)
        case .moved where state != .possible:
            measure(report.point, isFirst: false)
            tell(.changed)
        case .ended where state != .possible: tell(.ended)
        case .cancelled where state != .possible: tell(.cancelled)
        default: return false
        }
        return true
    }
}

/// Finds a quick move to one side.
open class UISwipeGestureRecognizer: UIGestureRecognizer {
    /// Says to which side.
    public struct Direction: OptionSet, Sendable {
        /// One bit a side.
        public let rawValue: UInt

        /// Creates directions from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// To the right.
        public static let right = Direction(rawValue: 1)
        /// To the left.
        public static let left = Direction(rawValue: 2)
        /// Upwards.
        public static let up = Direction(rawValue: 4)
        /// Downwards.
        public static let down = Direction(rawValue: 8)
    }

    /// The sides that make the gesture.
    ///
    /// The default is to the right.
    open var direction = Direction.right { didSet { view?.setNeedsDisplay() } }
    /// The number of fingers that make it; browsers tell of one.
    ///
    /// The default is 1.
    open var numberOfTouchesRequired = 1
    /// The distance that a finger has to move, in points.
    private static let distance: CGFloat = 30

    override var attributes: [String: String] {
        let leavesHeight = direction.isDisjoint(with: [.up, .down])
        let leavesWidth = direction.isDisjoint(with: [.left, .right])
        let moves: FollowedMoves = leavesHeight ? .level : leavesWidth ? .upright : .all
        return [FollowedMoves.attribute: moves.rawValue]
    }

    override func take(_ event: BrowserEvent) -> Bool {
        guard case .touch(let report) = event.kind, report.phase == .ended else { return false }
        let (x, y) = (report.point.x - report.start.x, report.point.y - report.start.y)
        let isLevel = abs(x) > abs(y)
        let side: Direction = isLevel ? (x > 0 ? .right : .left) : y > 0 ? .down : .up
        guard max(abs(x), abs(y)) >= Self.distance, direction.contains(side) else { return false }
        move(to: report.start)
        guard mayBegin() else { return false }
        tell(.ended)
        return true
    }
}
