/// Is a button with a title, an image or both.
open class UIButton: UIControl {
    /// Says how a button looks.
    public enum ButtonType: Int, Sendable {
        /// As the app says.
        case custom = 0
        /// As the system says: the title has the tint.
        case system = 1
    }

    private var title: String?
    private var image: UIImage?
    private var titleColor: UIColor?
    private var type = ButtonType.custom
    /// What the button offers; browsers show it where ``showsMenuAsPrimaryAction`` says so.
    ///
    /// The default is none.
    open var menu: UIMenu? { didSet { setNeedsDisplay() } }
    /// Whether a tap shows the menu, in place of the button's own actions.
    ///
    /// The default is `false`.
    open var showsMenuAsPrimaryAction = false
    /// The label of the title, for its font.
    public private(set) lazy var titleLabel: UILabel? = {
        let label = UILabel()
        label.font = .systemFont(ofSize: 15)
        return label
    }()

    /// Creates a button with a rectangle.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isAccessibilityElement = true
        accessibility.traits = .button
    }

    /// Creates a button of a type.
    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        type = buttonType
    }

    /// Creates a button of a type that does something on a tap.
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero, primaryAction: primaryAction)
        type = buttonType
        title = primaryAction?.title
        image = primaryAction?.image
    }

    /// Creates a button from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Sets the title; browsers know the usual state alone.
    open func setTitle(_ title: String?, for state: State) {
        self.title = title
        setNeedsDisplay()
    }

    /// Sets the colour of the title; browsers know the usual state alone.
    open func setTitleColor(_ color: UIColor?, for state: State) {
        titleColor = color
        setNeedsDisplay()
    }

    /// Sets the image; browsers know the usual state alone.
    open func setImage(_ image: UIImage?, for state: State) {
        self.image = image
        setNeedsDisplay()
    }

    override var hasIntrinsicHeight: Bool { true }
    override var followsTouches: Bool { false }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        node.tag = "button"
        node.attributes["type"] = "button"
        node.add(class: "button")
        if isEnabled { node.attributes["data-tap"] = "" } else { node.attributes["disabled"] = "" }
        let font = (titleLabel?.font ?? .systemFont(ofSize: 15)).scaled(
            for: traitCollection.preferredContentSizeCategory
        )
        node.style.merge(font.css(lineSpacing: 0)) { $1 }
        node.style["color"] = titleColor?.css ?? (type == .system ? "var(--tint)" : UIColor.white.css)
        if let image { node.children.append(image.drawGlyph("\(nodeID).image", in: drawing)) }
        if let title, !title.isEmpty {
            node.children.append(drawing.add("\(nodeID).title", tag: "span", class: "title", text: title))
        }
        if accessibility.label == nil { node.attributes["aria-label"] = title }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, isEnabled else { return false }
        if showsMenuAsPrimaryAction, let menu, let controller = nearestController {
            menu.show(by: self, over: controller)
            return true
        }
        sendActions(for: [.touchUpInside, .primaryActionTriggered])
        return true
    }
}

extension UIControl {
    /// Says in which state of a control something holds.
    public struct State: OptionSet, Sendable {
        /// One bit a state.
        public let rawValue: UInt

        /// Creates states from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The usual state.
        public static let normal = State([])
    }
}
