/// Stands for something that the user did.
@preconcurrency @MainActor
open class UIEvent: NSObject {
    /// Says what the user did it with.
    public enum EventType: Int, Sendable {
        /// Fingers, or the mouse.
        case touches = 0
        /// The device itself, by moving it; browsers don't tell.
        case motion = 1
        /// Something that steers the device from afar; browsers don't tell.
        case remoteControl = 2
        /// Buttons and keys that are pressed; browsers don't tell.
        case presses = 3
        /// A wheel; browsers scroll by themselves.
        case scroll = 10
        /// A pointer without a button down; browsers don't tell.
        case hover = 11
        /// Fingers on a trackpad; browsers don't tell.
        case transform = 14
    }

    /// The view that the browser has found at the place of the touch.
    let touchedView: UIView?
    private let touches: Set<UITouch>

    init(touchedView: UIView? = nil, touches: Set<UITouch> = []) {
        self.touchedView = touchedView
        self.touches = touches
        timestamp = touches.first?.timestamp ?? ProcessInfo.processInfo.systemUptime
        super.init()
    }

    /// Creates an event without touches.
    public override init() {
        (touchedView, touches, timestamp) = (nil, [], ProcessInfo.processInfo.systemUptime)
        super.init()
    }

    /// The kind of thing that the user did it with.
    open var type: EventType { .touches }
    /// The time at which it happened, in seconds since the system was started.
    open private(set) var timestamp: TimeInterval
    /// The touches that there are; browsers tell of one.
    open var allTouches: Set<UITouch>? { touches.isEmpty ? nil : touches }

    /// Returns the touches of a view, of a window all that are in it; `nil` where there are none.
    open func touches(for view: UIView) -> Set<UITouch>? {
        let found = touches.filter { $0.view === view || $0.window === view }
        return found.isEmpty ? nil : found
    }

    /// Returns the touches that were put together into one: browsers tell of that one.
    open func coalescedTouches(for touch: UITouch) -> [UITouch]? { [touch] }

    /// Returns the touches that are expected to follow: none.
    open func predictedTouches(for touch: UITouch) -> [UITouch]? { [] }
}
