/// A button with a title, an image or both.
open class UIButton: UIControl {
    /// Says how a button looks.
    public enum ButtonType: Int, Sendable {
        /// As the app says.
        case custom = 0
        /// As the system says: the title has the tint.
        case system = 1
        /// A button that shows more.
        case detailDisclosure = 2
        /// A button that tells more, over light.
        case infoLight = 3
        /// A button that tells more, over dark.
        case infoDark = 4
        /// A button that adds something.
        case contactAdd = 5
        /// A button that closes something.
        case close = 7

        /// The symbol that stands in the button by itself.
        var symbol: String? {
            switch self {
            case .custom, .system: nil
            case .detailDisclosure, .infoLight, .infoDark: "info.circle"
            case .contactAdd: "plus.circle"
            case .close: "xmark"
            }
        }
    }

    private var titles = Stated<String>()
    private var images = Stated<UIImage>()
    private var titleColors = Stated<UIColor>()
    private var type = ButtonType.custom
    /// The menu of the button; browsers show it where ``showsMenuAsPrimaryAction`` says so.
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
    /// The room around the title.
    ///
    /// The default is none.
    open var titleEdgeInsets = UIEdgeInsets.zero { didSet { setNeedsDisplay() } }
    /// The room around the image.
    ///
    /// The default is none.
    open var imageEdgeInsets = UIEdgeInsets.zero { didSet { setNeedsDisplay() } }
    /// The look of the button, as a value; it takes the place of what is set for states, but for titles and images.
    ///
    /// The default is none.
    open var configuration: Configuration? { didSet { setNeedsDisplay() } }
    /// Called when the state of the button has changed, to change its configuration.
    ///
    /// The default is none.
    open var configurationUpdateHandler: ConfigurationUpdateHandler? { didSet { setNeedsUpdateConfiguration() } }
    /// Whether the look of the configuration follows the state of the button.
    ///
    /// The default is `true`.
    open var automaticallyUpdatesConfiguration = true { didSet { setNeedsDisplay() } }
    /// Whether a tap selects the button, and the next one no longer.
    ///
    /// The default is `false`.
    open var changesSelectionAsPrimaryAction = false
    private var needsConfiguration = false
    /// The view of the image, for its content mode and tint.
    public private(set) lazy var imageView: UIImageView? = UIImageView()
    private var attributedTitles = Stated<NSAttributedString>()
    private var backgrounds = Stated<UIImage>()
    /// Whether the button can be used.
    open override var isEnabled: Bool { didSet { if isEnabled != oldValue { setNeedsUpdateConfiguration() } } }
    /// Whether the button is selected.
    open override var isSelected: Bool { didSet { if isSelected != oldValue { setNeedsUpdateConfiguration() } } }
    /// Whether the button looks as if it was touched.
    open override var isHighlighted: Bool {
        didSet { if isHighlighted != oldValue { setNeedsUpdateConfiguration() } }
    }

    /// Asks for another look, at the end of the current turn.
    open func setNeedsUpdateConfiguration() {
        needsConfiguration = true
        setNeedsDisplay()
    }

    /// Changes the configuration by the state: calls ``configurationUpdateHandler``.
    open func updateConfiguration() {
        configurationUpdateHandler?(self)
    }

    /// Brings the look in line with the state, before each drawing.
    open override func layoutSubviews() {
        super.layoutSubviews()
        guard needsConfiguration else { return }
        needsConfiguration = false
        updateConfiguration()
    }

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
        accessibilityTraits = .button
    }

    /// Creates a button of a type.
    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        type = buttonType
        images[.normal] = buttonType.symbol.flatMap { UIImage(systemName: $0) }
    }

    /// Creates a button of a type that does something on a tap.
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero, primaryAction: primaryAction)
        type = buttonType
        titles[.normal] = primaryAction?.title
        images[.normal] = primaryAction?.image
    }

    /// Creates a button that looks as a configuration says.
    public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) {
        self.init(frame: .zero, primaryAction: primaryAction)
        type = .system
        self.configuration = configuration
        if configuration.title == nil { self.configuration?.title = primaryAction?.title }
        if configuration.image == nil { self.configuration?.image = primaryAction?.image }
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

    /// Sets the title in a state, with attributes; without one, a state has that of `normal`.
    open func setAttributedTitle(_ title: NSAttributedString?, for state: State) {
        attributedTitles[state] = title
        setNeedsDisplay()
    }

    /// Sets the image under title and image in a state; without one, a state has that of `normal`.
    open func setBackgroundImage(_ image: UIImage?, for state: State) {
        backgrounds[state] = image
        setNeedsDisplay()
    }

    /// Sets the size, weight and colour of the symbol that is set for a state.
    open func setPreferredSymbolConfiguration(
        _ configuration: UIImage.SymbolConfiguration?,
        forImageIn state: State
    ) {
        guard let configuration, let image = images[state] else { return }
        images[state] = image.applyingSymbolConfiguration(configuration) ?? image
        setNeedsDisplay()
    }

    /// Returns the title that was set for a state.
    open func title(for state: State) -> String? { titles[state] }

    /// Returns the colour that was set for the title in a state.
    open func titleColor(for state: State) -> UIColor? { titleColors[state] }

    /// Returns the image that was set for a state.
    open func image(for state: State) -> UIImage? { images[state] }

    /// The title that is shown.
    open var currentTitle: String? {
        attributedTitles.shown(in: state)?.string ?? titles.shown(in: state) ?? configuration?.title
    }
    /// The image that is shown.
    open var currentImage: UIImage? { images.shown(in: state) ?? configuration?.image }

    override var hasIntrinsicHeight: Bool { true }
    override var followsTouches: Bool { false }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        node.tag = "button"
        node.attributes["type"] = "button"
        node.add(class: "button")
        if isEnabled { node.attributes["data-tap"] = "" } else { node.attributes["disabled"] = "" }
        if contentHorizontalAlignment != .center { node.style["justify-content"] = contentHorizontalAlignment.css }
        if let configuration {
            let look = ButtonLook(configuration, of: self)
            look.draw(&node, nodeID, title: currentTitle, image: currentImage, in: drawing)
        } else {
            drawStates(&node, in: drawing)
        }
        if accessibilityLabel == nil { node.attributes["aria-label"] = currentTitle }
    }

    /// Draws what is set for the state.
    private func drawStates(_ node: inout Node, in drawing: Drawing) {
        let font = (titleLabel?.font ?? .systemFont(ofSize: 15)).scaled(
            for: traitCollection.preferredContentSizeCategory
        )
        node.style.merge(font.css(lineSpacing: 0)) { $1 }
        let attributed = attributedTitles.shown(in: state)
        let attributes = attributed.flatMap { $0.length > 0 ? $0.attributes(at: 0, effectiveRange: nil) : nil }
        if let font = attributes?[.font] as? UIFont { node.style.merge(font.css(lineSpacing: 0)) { $1 } }
        let color = attributes?[.foregroundColor] as? UIColor ?? titleColors.shown(in: state)
        node.style["color"] = color?.css ?? (type == .custom ? UIColor.white.css : "var(--tint)")
        if contentEdgeInsets != .zero { node.style["padding"] = contentEdgeInsets.css }
        if let background = backgrounds.shown(in: state) {
            node.children.insert(background.drawPicture("\(nodeID).back", .scaleToFill, in: drawing), at: 0)
        }
        if let image = currentImage {
            let id = image.drawGlyph("\(nodeID).image", in: drawing)
            if imageEdgeInsets != .zero { drawing.nodes[id]?.style["margin"] = imageEdgeInsets.css }
            node.children.append(id)
        }
        if let title = currentTitle, !title.isEmpty {
            let id = drawing.add("\(nodeID).title", tag: "span", class: "title", text: title)
            if titleEdgeInsets != .zero { drawing.nodes[id]?.style["margin"] = titleEdgeInsets.css }
            node.children.append(id)
        }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, isEnabled else { return false }
        if changesSelectionAsPrimaryAction { isSelected.toggle() }
        if showsMenuAsPrimaryAction, let menu, let owner = nearestOwner {
            owner.offer(menu, by: self)
            return true
        }
        sendTap()
        return true
    }
}
