/// Says how a recogniser takes part in the touches of its view.
@preconcurrency @MainActor
public protocol UIGestureRecognizerDelegate: AnyObject {
    /// Returns whether a gesture may begin.
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
}

extension UIGestureRecognizerDelegate {
    /// Lets it begin.
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
}

/// Finds a gesture in the touches of a view.
@preconcurrency @MainActor
open class UIGestureRecognizer: NSObject {
    /// Says how far a gesture has come.
    public enum State: Int, Sendable {
        /// None has begun.
        case possible = 0
        /// It has begun.
        case began = 1
        /// It goes on.
        case changed = 2
        /// It is over.
        case ended = 3
        /// It was taken for something else.
        case cancelled = 4
        /// It was none.
        case failed = 5

        /// A gesture without duration was found.
        public static let recognized = State.ended
    }

    /// The state of the gesture.
    public internal(set) var state = State.possible
    /// The view whose touches are looked at.
    public internal(set) weak var view: UIView?
    /// Whether gestures are looked for.
    ///
    /// The default is `true`.
    open var isEnabled = true { didSet { view?.setNeedsDisplay() } }
    /// Whether the view does not get the touches of a gesture.
    ///
    /// The default is `true`.
    open var cancelsTouchesInView = true
    /// A name of the app's own.
    ///
    /// The default is none.
    open var name: String?
    /// Decides whether a gesture may begin.
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    private var targets: [TargetAction] = []
    private var rivals: [WeakRecognizer] = []

    private struct WeakRecognizer {
        weak var recognizer: UIGestureRecognizer?
    }

    /// Waits until another gesture can no longer be found.
    open func require(toFail otherGestureRecognizer: UIGestureRecognizer) {
        rivals.append(WeakRecognizer(recognizer: otherGestureRecognizer))
    }

    /// The gestures that must not be found for this one to be.
    var required: [UIGestureRecognizer] { rivals.compactMap(\.recognizer).filter(\.isEnabled) }
    /// The place in the window, and in the view where the browser has told it.
    private(set) var place = (window: CGPoint.zero, view: CGPoint?.none)

    /// Creates a recogniser that calls nobody yet.
    public override init() {
        super.init()
    }

    /// Creates a recogniser that calls a method, `FeedController.tapped`, of an object that it does not hold.
    public convenience init<Target: AnyObject>(
        target: Target,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.init()
        targets = [TargetAction(target, action)]
    }

    /// Creates a recogniser that calls a method which takes the recogniser.
    public convenience init<Target: AnyObject, Sender: UIGestureRecognizer>(
        target: Target,
        action: @escaping @MainActor (Target) -> @MainActor (Sender) -> Void
    ) {
        self.init()
        targets = [TargetAction(target, action)]
    }

    /// Calls a method, too.
    @preconcurrency
    open func addTarget<Target: AnyObject>(
        _ target: Target,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        targets.append(TargetAction(target, action))
    }

    /// Calls a method that takes the recogniser, too.
    @preconcurrency
    open func addTarget<Target: AnyObject, Sender: UIGestureRecognizer>(
        _ target: Target,
        action: @escaping @MainActor (Target) -> @MainActor (Sender) -> Void
    ) {
        targets.append(TargetAction(target, action))
    }

    /// Stops calling an object, or with `nil` every object.
    ///
    /// Methods can't be told apart here.
    open func removeTarget(_ target: AnyObject?, action: Never?) {
        targets.removeAll { target == nil || $0.target === target }
    }

    /// Returns where the gesture is: in the coordinates of the view for a tap, of the window for what moves.
    open func location(in view: UIView?) -> CGPoint {
        if let view, view === self.view, let own = place.view { return own }
        return place.window
    }

    /// The number of fingers that take part: one at the most.
    public var numberOfTouches: Int { state == .possible || state == .failed ? 0 : 1 }

    /// The values that the page needs of the gesture, as attributes of the element.
    var attributes: [String: String] { [:] }

    /// Takes part in an event of the view; returns whether it meant this gesture.
    func take(_ event: BrowserEvent) -> Bool { false }

    /// Returns whether the gesture may begin.
    func mayBegin() -> Bool { delegate?.gestureRecognizerShouldBegin(self) ?? true }

    func move(to window: CGPoint, in view: CGPoint? = nil) {
        place = (window, view)
    }

    /// Tells of a state, and forgets a gesture that is over.
    func tell(_ state: State) {
        self.state = state
        for target in targets { target.perform(by: self) }
        if [.ended, .cancelled, .failed].contains(state) { self.state = .possible }
    }
}

extension UIView {
    /// The recognisers of the view's touches; `nil` where there are none.
    public var gestureRecognizers: [UIGestureRecognizer]? {
        get { recognizers.isEmpty ? nil : recognizers }
        set {
            for recognizer in recognizers { recognizer.view = nil }
            recognizers = []
            for recognizer in newValue ?? [] { addGestureRecognizer(recognizer) }
            setNeedsDisplay()
        }
    }

    /// Looks for a gesture in the touches of the view; takes the recogniser from the view that had it.
    public func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        recognizers.append(gestureRecognizer)
        gestureRecognizer.view = self
        setNeedsDisplay()
    }

    /// Looks for a gesture no longer.
    public func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        recognizers.removeAll { $0 === gestureRecognizer }
        if gestureRecognizer.view === self { gestureRecognizer.view = nil }
        setNeedsDisplay()
    }

    func drawGestures(_ node: inout Node) {
        for (name, value) in recognizers.filter(\.isEnabled).flatMap(\.attributes) {
            let isFollowing = name == FollowedMoves.attribute
            node.attributes[name] = isFollowing ? FollowedMoves.both(node.attributes[name], value) : value
        }
    }

    /// Offers an event to the recognisers; returns whether the view should not get it.
    func recognize(_ event: BrowserEvent) -> Bool {
        guard event.part.isEmpty else { return false }
        var found: [UIGestureRecognizer] = []
        // Those that others wait for come first.
        let order = recognizers.filter(\.required.isEmpty) + recognizers.filter { !$0.required.isEmpty }
        for recognizer in order where recognizer.isEnabled {
            let rivals = recognizer.required
            guard !found.contains(where: { one in rivals.contains { $0 === one } }) else { continue }
            if recognizer.take(event) { found.append(recognizer) }
        }
        return found.contains(where: \.cancelsTouchesInView)
    }
}
