/// Is a button with a title, an image or both.
open class UIButton: UIControl {
    /// Says how a button looks.
    public enum ButtonType: Int, Sendable {
        /// As the app says.
        case custom = 0
        /// As the system says: the title has the tint.
        case system = 1
    }

    private var titles = Stated<String>()
    private var images = Stated<UIImage>()
    private var titleColors = Stated<UIColor>()
    private var type = ButtonType.custom
    /// What the button offers; browsers show it where ``showsMenuAsPrimaryAction`` says so.
    ///
    /// The default is none.
    open var menu: UIMenu? { didSet { setNeedsDisplay() } }
    /// Whether a tap shows the menu, in place of the button's own actions.
    ///
    /// The default is `false`.
    open var showsMenuAsPrimaryAction = false
    /// The room around title and image.
    ///
    /// The default is none beyond that of the system.
    open var contentEdgeInsets = UIEdgeInsets.zero { didSet { setNeedsDisplay() } }
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
        titles[.normal] = primaryAction?.title
        images[.normal] = primaryAction?.image
    }

    /// Creates a button from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Sets the title in a state; without one, a state has that of `normal`.
    open func setTitle(_ title: String?, for state: State) {
        titles[state] = title
        setNeedsDisplay()
    }

    /// Sets the colour of the title in a state; without one, a state has that of `normal`.
    open func setTitleColor(_ color: UIColor?, for state: State) {
        titleColors[state] = color
        setNeedsDisplay()
    }

    /// Sets the image in a state; without one, a state has that of `normal`.
    open func setImage(_ image: UIImage?, for state: State) {
        images[state] = image
        setNeedsDisplay()
    }

    /// Returns the title that was set for a state.
    open func title(for state: State) -> String? { titles[state] }

    /// Returns the colour that was set for the title in a state.
    open func titleColor(for state: State) -> UIColor? { titleColors[state] }

    /// Returns the image that was set for a state.
    open func image(for state: State) -> UIImage? { images[state] }

    /// The title that is shown.
    open var currentTitle: String? { titles.shown(in: state) }
    /// The image that is shown.
    open var currentImage: UIImage? { images.shown(in: state) }

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
        node.style["color"] = titleColors.shown(in: state)?.css ?? (type == .system ? "var(--tint)" : UIColor.white.css)
        if contentEdgeInsets != .zero {
            let sides = contentEdgeInsets
            node.style["padding"] = [sides.top, sides.right, sides.bottom, sides.left].map(CSS.points)
                .joined(separator: " ")
        }
        if let image = currentImage { node.children.append(image.drawGlyph("\(nodeID).image", in: drawing)) }
        if let title = currentTitle, !title.isEmpty {
            node.children.append(drawing.add("\(nodeID).title", tag: "span", class: "title", text: title))
        }
        if accessibility.label == nil { node.attributes["aria-label"] = currentTitle }
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
    public struct State: OptionSet, Hashable, Sendable {
        /// One bit a state.
        public let rawValue: UInt

        /// Creates states from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The usual state.
        public static let normal = State([])
        /// Touched.
        public static let highlighted = State(rawValue: 1 << 0)
        /// Not to be used.
        public static let disabled = State(rawValue: 1 << 1)
        /// Selected.
        public static let selected = State(rawValue: 1 << 2)
    }
}

/// Holds what differs by the state of a control.
private struct Stated<Value> {
    private var values: [UIControl.State: Value] = [:]

    subscript(state: UIControl.State) -> Value? {
        get { values[state] }
        set { values[state] = newValue }
    }

    func shown(in state: UIControl.State) -> Value? { values[state] ?? values[.normal] }
}
