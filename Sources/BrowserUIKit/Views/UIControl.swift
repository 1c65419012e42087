/// Does something when a control is used.
@MainActor
open class UIAction {
    /// Names an action.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates an identifier from its name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates an identifier from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The title, where a control shows one.
    open var title: String
    /// The image, where a control shows one.
    open var image: UIImage?
    /// The name; adding an action replaces the one of the same name.
    public let identifier: Identifier
    /// The control that was used.
    public internal(set) var sender: Any?
    private let handler: @MainActor (UIAction) -> Void
    private static var lastNumber = 0

    /// Creates an action.
    public init(
        title: String = "",
        image: UIImage? = nil,
        identifier: Identifier? = nil,
        handler: @escaping @MainActor (UIAction) -> Void
    ) {
        Self.lastNumber += 1
        self.title = title
        self.image = image
        self.identifier = identifier ?? Identifier("action-\(Self.lastNumber)")
        self.handler = handler
    }

    func perform(by sender: Any?) {
        self.sender = sender
        handler(self)
    }
}

/// Is used by the user: something that is tapped, switched or typed into.
open class UIControl: UIView {
    /// Says what happened to a control.
    public struct Event: OptionSet, Hashable, Sendable {
        /// One bit an event.
        public let rawValue: UInt

        /// Creates events from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// A tap.
        public static let touchUpInside = Event(rawValue: 1 << 6)
        /// Another value.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// Whatever the control is mainly for.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// Another text.
        public static let editingChanged = Event(rawValue: 1 << 17)
        /// The end of typing, by Return.
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
    }

    /// Whether the control can be used.
    ///
    /// The default is `true`.
    open var isEnabled = true { didSet { setNeedsDisplay() } }
    /// Whether the control is selected.
    ///
    /// The default is `false`.
    open var isSelected = false { didSet { setNeedsDisplay() } }
    private var actions: [(events: Event, action: UIAction)] = []

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

    /// Removes what is done on events.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        actions.removeAll { $0.events == controlEvents && $0.action.identifier == action.identifier }
    }

    /// Does what was added for events.
    open func sendActions(for controlEvents: Event) {
        for entry in actions where !entry.events.isDisjoint(with: controlEvents) { entry.action.perform(by: self) }
    }
}
