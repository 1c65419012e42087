/// Stands for a finger, or the mouse with its button down.
@preconcurrency @MainActor
open class UITouch: NSObject {
    /// Says how far a touch has come.
    public enum Phase: Int, Sendable {
        /// It has begun.
        case began = 0
        /// It has moved.
        case moved = 1
        /// It has stayed where it was.
        case stationary = 2
        /// It is over.
        case ended = 3
        /// It was taken for something else.
        case cancelled = 4
        /// A pointer has come to the region; browsers don't tell.
        case regionEntered = 5
        /// A pointer has moved in the region; browsers don't tell.
        case regionMoved = 6
        /// A pointer has left the region; browsers don't tell.
        case regionExited = 7
    }

    /// Says what touches.
    public enum TouchType: Int, Sendable {
        /// A finger.
        case direct = 0
        /// A finger beside the screen.
        case indirect = 1
        /// A pencil.
        case pencil = 2
        /// A mouse.
        case indirectPointer = 3

        /// A pencil, by its name of before.
        public static let stylus = TouchType.pencil
    }

    private var point: CGPoint
    private var previous: CGPoint
    /// The places of views in the window: of the one that was touched, and of those that it is in; where a control
    /// follows the touch, of all.
    private let origins: [String: CGPoint]

    init(
        at point: CGPoint,
        previous: CGPoint,
        in view: UIView? = nil,
        type: TouchType = .direct,
        tapCount: Int = 1,
        origins: [String: CGPoint] = [:]
    ) {
        self.point = point
        self.previous = previous
        self.view = view
        self.type = type
        self.tapCount = tapCount
        self.origins = origins
        window = view?.windowView as? UIWindow
        timestamp = UIPanGestureRecognizer.now()
        super.init()
    }

    /// Creates a touch that is nowhere, for tests of what takes touches.
    public override init() {
        (point, previous, type, tapCount, origins) = (.zero, .zero, .direct, 1, [:])
        timestamp = UIPanGestureRecognizer.now()
        super.init()
    }

    /// The phase that the touch has come to.
    open private(set) var phase = Phase.began
    /// The time at which it came to that phase, in seconds since the system was started.
    open private(set) var timestamp: TimeInterval
    /// The number of taps that the touch may be the last of.
    open private(set) var tapCount: Int
    /// The kind of thing that touches.
    open private(set) var type: TouchType
    /// The view that the touch came down on.
    open private(set) weak var view: UIView?
    /// The window that the touch came down in.
    open private(set) weak var window: UIWindow?
    /// The recognisers that look at the touch: those of its view and of the views around that.
    open var gestureRecognizers: [UIGestureRecognizer]? {
        var found: [UIGestureRecognizer] = []
        var next = view
        while let current = next {
            found += current.recognizers.filter(\.isEnabled)
            next = current.superview
        }
        return found.isEmpty ? nil : found
    }

    /// Returns where the touch is, in a view as it was when the touch began, or with `nil` in the window.
    ///
    /// A control that follows the touch gets it in any view; others in the view that it came down on and those around
    /// that, and in the window for the rest.
    open func location(in view: UIView?) -> CGPoint { convert(point, to: view) }

    /// Returns where the touch was before.
    open func previousLocation(in view: UIView?) -> CGPoint { convert(previous, to: view) }

    /// Returns where the touch is, as exactly as browsers tell.
    open func preciseLocation(in view: UIView?) -> CGPoint { convert(point, to: view) }

    /// Returns where the touch was before, as exactly as browsers tell.
    open func precisePreviousLocation(in view: UIView?) -> CGPoint { convert(previous, to: view) }

    private func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        guard let view, let origin = origins[view.nodeID] else { return point }
        let bounds = view.bounds.origin
        return CGPoint(x: point.x - origin.x + bounds.x, y: point.y - origin.y + bounds.y)
    }

    /// Takes in how far the touch has come; where it is stays where it was, where nothing is told.
    func move(to phase: Phase, at point: CGPoint?) {
        self.phase = phase
        previous = self.point
        if let point { self.point = point }
        timestamp = UIPanGestureRecognizer.now()
    }
}

extension TouchReport.Phase {
    var ofTouch: UITouch.Phase {
        switch self {
        case .moved: .moved
        case .ended: .ended
        case .cancelled: .cancelled
        }
    }
}
