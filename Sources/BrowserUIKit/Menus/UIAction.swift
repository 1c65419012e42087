/// Does something when a control is used, or when it is chosen in a menu.
open class UIAction: UIMenuElement {
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
    public override var title: String {
        get { super.title }
        set { super.title = newValue }
    }
    /// The image, where a control shows one.
    public override var image: UIImage? {
        get { super.image }
        set { super.image = newValue }
    }
    /// The name; adding an action replaces the one of the same name.
    public let identifier: Identifier
    /// The attributes with which a menu offers the action.
    open var attributes: Attributes
    /// Whether a menu shows a mark beside the action.
    open var state: State
    /// A longer title, for lists of what can be done; browsers show none.
    open var discoverabilityTitle: String?
    /// The control that was used.
    public internal(set) var sender: Any?
    private let handler: @MainActor (UIAction) -> Void
    private static var lastNumber = 0

    /// Creates an action.
    public init(
        title: String = "",
        subtitle: String? = nil,
        image: UIImage? = nil,
        identifier: Identifier? = nil,
        discoverabilityTitle: String? = nil,
        attributes: Attributes = [],
        state: State = .off,
        handler: @escaping @MainActor (UIAction) -> Void
    ) {
        Self.lastNumber += 1
        self.identifier = identifier ?? Identifier("action-\(Self.lastNumber)")
        self.attributes = attributes
        self.state = state
        self.discoverabilityTitle = discoverabilityTitle
        self.handler = handler
        super.init(title: title, image: image)
        self.subtitle = subtitle
    }

    func perform(by sender: Any?) {
        self.sender = sender
        handler(self)
    }
}
