/// A view that the user works with: something that is tapped, switched or typed into.
open class UIControl: UIView {
    /// Says what happened to a control.
    public struct Event: OptionSet, Hashable, Sendable {
        /// One bit an event.
        public let rawValue: UInt

        /// Creates events from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The beginning of a touch; browsers tell of it with the tap.
        public static let touchDown = Event(rawValue: 1 << 0)
        /// A tap.
        public static let touchUpInside = Event(rawValue: 1 << 6)
        /// Another value.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// Whatever the control is mainly for.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// The touch was taken for something else.
        public static let touchCancel = Event(rawValue: 1 << 8)
        /// The beginning of typing.
        public static let editingDidBegin = Event(rawValue: 1 << 16)
        /// Another text.
        public static let editingChanged = Event(rawValue: 1 << 17)
        /// The end of typing.
        public static let editingDidEnd = Event(rawValue: 1 << 18)
        /// The end of typing, by Return.
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
        /// Every event of touches.
        public static let allTouchEvents = Event(rawValue: 0xFFF)
        /// Every event of typing.
        public static let allEditingEvents = Event(rawValue: 0xF0000)
        /// Every event.
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }

    /// Whether the control can be used.
    ///
    /// The default is `true`.
    open var isEnabled = true { didSet { setNeedsDisplay() } }
    /// Whether the control is selected.
    ///
    /// The default is `false`.
    open var isSelected = false { didSet { setNeedsDisplay() } }
    /// Whether the control looks as if it was touched; browsers show a touch by themselves, and don't set this.
    ///
    /// The default is `false`.
    open var isHighlighted = false { didSet { setNeedsDisplay() } }
    /// The state, by which titles and images are chosen.
    open var state: State {
        var state = isEnabled ? State.normal : .disabled
        if isHighlighted { state.insert(.highlighted) }
        if isSelected { state.insert(.selected) }
        return state
    }
    /// Says where what a control shows lies.
    public enum ContentHorizontalAlignment: Int, Sendable {
        /// In the middle.
        case center = 0
        /// At the left.
        case left = 1
        /// At the right.
        case right = 2
        /// From side to side.
        case fill = 3
        /// The side at which text begins.
        case leading = 4
        /// The side at which text ends.
        case trailing = 5

        var css: String {
            ["center", "left", "right", "stretch", "flex-start", "flex-end"][rawValue]
        }
    }

    /// The position of what the control shows.
    ///
    /// The default is in the middle.
    open var contentHorizontalAlignment = ContentHorizontalAlignment.center { didSet { setNeedsDisplay() } }
    private var actions: [(events: Event, action: UIAction)] = []
    private var targets: [(events: Event, action: TargetAction)] = []

    /// Creates a control.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a control that does something when it is used.
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }

    /// Creates a control from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Adds what is to be done on events, in place of an action of the same name.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        actions.removeAll { $0.events == controlEvents && $0.action.identifier == action.identifier }
        actions.append((controlEvents, action))
    }

    /// Removes what is done on events; on other events it is still done.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        actions = actions.compactMap { entry in
            guard entry.action.identifier == action.identifier else { return entry }
            let left = entry.events.subtracting(controlEvents)
            return left.isEmpty ? nil : (left, entry.action)
        }
    }

    // MARK: Targets

    // These methods repeat what their class says: the compiler names a method that a subclass inherits in another file
    // by its type, and doesn't always look at the class for that.

    /// Calls a method, `FeedController.tapped`, of an object on events, without holding the object.
    @preconcurrency
    open func addTarget<Target: AnyObject>(
        _ target: Target,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void,
        for controlEvents: Event
    ) {
        targets.append((controlEvents, TargetAction(target, action)))
    }

    /// Calls a method that takes the control.
    @preconcurrency
    open func addTarget<Target: AnyObject, Sender: UIControl>(
        _ target: Target,
        action: @escaping @MainActor (Target) -> @MainActor (Sender) -> Void,
        for controlEvents: Event
    ) {
        targets.append((controlEvents, TargetAction(target, action)))
    }

    /// Stops calling an object, or with `nil` every object, on events.
    ///
    /// Methods can't be told apart here.
    open func removeTarget(_ target: AnyObject?, action: Never?, for controlEvents: Event) {
        targets = targets.compactMap { entry in
            guard target == nil || entry.action.target === target else { return entry }
            let left = entry.events.subtracting(controlEvents)
            return left.isEmpty ? nil : (left, entry.action)
        }
    }

    // MARK: Following a touch

    /// Whether a touch is being followed.
    public private(set) var isTracking = false
    private var followed: UITouch?

    /// Is called when a touch that began here moves for the first time; returns whether to follow it.
    open func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }

    /// Is called when the touch has moved; returns whether to follow it further.
    ///
    /// Once it is not followed, its end is no tap.
    open func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }

    /// Is called when the touch has ended.
    open func endTracking(_ touch: UITouch?, with event: UIEvent?) {}

    /// Is called when the touch was taken for something else.
    open func cancelTracking(with event: UIEvent?) {}

    // A control keeps its touches: nobody behind it in the chain of responders gets them.

    /// Keeps the touch.
    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Keeps the touch.
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Keeps the touch.
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Keeps the touch.
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Whether the page reports how touches move.
    var followsTouches: Bool { true }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        guard isEnabled else { return }
        node.attributes["data-tap"] = ""
        if followsTouches { node.attributes[FollowedMoves.attribute] = followedMoves.rawValue }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard isEnabled else { return false }
        switch event.kind {
        case .tap:
            if let touch = event.touch, !mayGet(UITouch(at: touch.point, previous: touch.point, in: self)) { break }
            sendTap()
        case .touch(let report): follow(report)
        default: return false
        }
        return true
    }

    /// Sends the beginning of a tap and its end, of which browsers tell together.
    func sendTap() {
        sendActions(for: .touchDown)
        sendActions(for: [.touchUpInside, .primaryActionTriggered])
    }

    private func follow(_ report: TouchReport) {
        if !isTracking, report.phase == .moved, report.isFirst {
            let touch = UITouch(at: report.start, previous: report.start, in: self, origins: report.origins)
            guard mayGet(touch) else { return }
            followed = touch
            isTracking = beginTracking(touch, with: UIEvent(touchedView: self, touches: [touch]))
        }
        guard isTracking, let touch = followed else { return }
        touch.move(to: report.phase.ofTouch, at: report.phase == .cancelled ? nil : report.point)
        let event = UIEvent(touchedView: self, touches: [touch])
        switch report.phase {
        case .moved:
            isTracking = continueTracking(touch, with: event)
            if !isTracking { sendActions(for: .touchCancel) }
        case .ended:
            isTracking = false
            endTracking(touch, with: event)
        case .cancelled:
            isTracking = false
            cancelTracking(with: event)
            sendActions(for: .touchCancel)
        }
        if !isTracking { followed = nil }
    }

    /// Whether anything is done on an event.
    func has(_ event: Event) -> Bool {
        actions.contains { $0.events.contains(event) } || targets.contains { $0.events.contains(event) }
    }

    /// Does what was added for events.
    open func sendActions(for controlEvents: Event) {
        for entry in actions where !entry.events.isDisjoint(with: controlEvents) { entry.action.perform(by: self) }
        for entry in targets where !entry.events.isDisjoint(with: controlEvents) { entry.action.perform(by: self) }
    }
}
