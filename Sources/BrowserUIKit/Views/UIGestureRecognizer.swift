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
    /// Whether the view gets touches only once they are no gesture; browsers tell of both.
    ///
    /// The default is `false`.
    open var delaysTouchesBegan = false
    /// Whether the view is told of the end of touches only once they are no gesture; browsers tell of both.
    ///
    /// The default is `true`.
    open var delaysTouchesEnded = true
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

    /// The gestures that must not be found for this one to be: those that the app has named, and those of the same view
    /// for which a delegate says so.
    var required: [UIGestureRecognizer] {
        let named = rivals.compactMap(\.recognizer)
        let asked = (view?.recognizers ?? []).filter { other in
            guard other !== self, !named.contains(where: { $0 === other }) else { return false }
            return delegate?.gestureRecognizer(self, shouldRequireFailureOf: other) ?? false
                || other.delegate?.gestureRecognizer(other, shouldBeRequiredToFailBy: self) ?? false
        }
        return (named + asked).filter(\.isEnabled)
    }
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

    /// Returns where one of the fingers is: there is one.
    open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint { location(in: view) }

    /// The number of fingers that take part: one at the most.
    public var numberOfTouches: Int { state == .possible || state == .failed ? 0 : 1 }

    /// The values that the page needs of the gesture, as attributes of the element.
    var attributes: [String: String] { [:] }

    /// Takes part in an event of the view; returns whether it meant this gesture.
    func take(_ event: BrowserEvent) -> Bool { false }

    /// Returns whether the gesture may begin.
    func mayBegin() -> Bool {
        guard view?.gestureRecognizerShouldBegin(self) ?? true else { return false }
        return delegate?.gestureRecognizerShouldBegin(self) ?? true
    }

    /// Returns whether another gesture of the view may be found at the same time.
    func goesAlong(with other: UIGestureRecognizer) -> Bool {
        delegate?.gestureRecognizer(self, shouldRecognizeSimultaneouslyWith: other) ?? false
            || other.delegate?.gestureRecognizer(other, shouldRecognizeSimultaneouslyWith: self) ?? false
    }

    /// Returns whether the gesture looks at a touch that begins.
    func looks(at touch: UITouch) -> Bool { delegate?.gestureRecognizer(self, shouldReceive: touch) ?? true }

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
