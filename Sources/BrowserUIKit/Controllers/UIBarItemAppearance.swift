/// Describes how a button in a bar looks in one state.
@preconcurrency @MainActor
open class UIBarButtonItemStateAppearance: NSObject {
    /// The look of the title: its font and colour.
    ///
    /// The default is that of the system.
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:] { didSet { onChange?() } }
    /// Is called after each change in place.
    var onChange: (@MainActor () -> Void)?

    override init() {
        super.init()
    }

    func take(_ other: UIBarButtonItemStateAppearance) {
        titleTextAttributes = other.titleTextAttributes
    }
}

/// Describes how buttons in a bar look.
@preconcurrency @MainActor
open class UIBarButtonItemAppearance: NSObject, @preconcurrency NSCopying {
    /// The usual look.
    public let normal = UIBarButtonItemStateAppearance()
    /// The look of buttons that are touched; browsers show that by themselves.
    public let highlighted = UIBarButtonItemStateAppearance()
    /// The look of buttons that can't be used.
    public let disabled = UIBarButtonItemStateAppearance()
    /// The look of buttons with the focus; browsers show that by themselves.
    public let focused = UIBarButtonItemStateAppearance()

    /// Is called after each change in place.
    var onChange: (@MainActor () -> Void)? { didSet { for state in states { state.onChange = onChange } } }
    private var states: [UIBarButtonItemStateAppearance] { [normal, highlighted, disabled, focused] }

    /// Creates the looks of the system.
    public override init() {
        super.init()
    }

    /// Creates the looks that the system gives a style.
    public init(style: UIBarButtonItem.Style) {
        super.init()
    }

    /// Returns a copy of the looks.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UIBarButtonItemAppearance()
        for (state, other) in zip(copy.states, states) { state.take(other) }
        return copy
    }

    /// Returns the copy that a bar's looks keep, which calls back after this change and each one in place.
    func kept(_ onChange: (@MainActor () -> Void)?) -> UIBarButtonItemAppearance {
        let kept = copy(with: nil) as? UIBarButtonItemAppearance ?? self
        kept.onChange = onChange
        onChange?()
        return kept
    }

    /// Takes the looks that the system gives a style.
    open func configureWithDefault(for style: UIBarButtonItem.Style) {
        for state in states { state.titleTextAttributes = [:] }
    }

    /// Returns the looks of a button: those of a state beyond the usual ones.
    fileprivate func attributes(isEnabled: Bool) -> [NSAttributedString.Key: Any] {
        let own = isEnabled ? [:] : disabled.titleTextAttributes
        return normal.titleTextAttributes.merging(own) { $1 }
    }
}

/// Says how a button of a bar looks once something has been scrolled, and before that.
@MainActor
struct BarButtonLooks {
    var scrolled: UIBarButtonItemAppearance?
    /// `nil` where it looks the same.
    var resting: UIBarButtonItemAppearance?

    /// Adds the looks to a drawn button.
    func style(_ id: String, isEnabled: Bool, in drawing: Drawing) {
        drawing.nodes[id]?.take(scrolled?.attributes(isEnabled: isEnabled) ?? [:])
        guard let resting else { return }
        drawing.nodes[id]?.takeResting(resting.attributes(isEnabled: isEnabled))
    }
}

/// Describes how a tab looks in one state.
@preconcurrency @MainActor
open class UITabBarItemStateAppearance: NSObject {
    /// The look of the title: its font and colour.
    ///
    /// The default is that of the system.
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:] { didSet { onChange?() } }
    /// The colour of the image; `nil`, the default, is that of the bar.
    open var iconColor: UIColor? { didSet { onChange?() } }
    /// The colour of the bubble over the image; `nil`, the default, is that of the system.
    open var badgeBackgroundColor: UIColor? { didSet { onChange?() } }
    /// The look of the text of the bubble: its font and colour.
    ///
    /// The default is that of the system.
    open var badgeTextAttributes: [NSAttributedString.Key: Any] = [:] { didSet { onChange?() } }
    /// Is called after each change in place.
    var onChange: (@MainActor () -> Void)?

    override init() {
        super.init()
    }

    func take(_ other: UITabBarItemStateAppearance) {
        (titleTextAttributes, badgeTextAttributes) = (other.titleTextAttributes, other.badgeTextAttributes)
        (iconColor, badgeBackgroundColor) = (other.iconColor, other.badgeBackgroundColor)
    }
}

/// Describes how tabs look.
@preconcurrency @MainActor
open class UITabBarItemAppearance: NSObject, @preconcurrency NSCopying {
    /// Says where titles of tabs are.
    public enum Style: Int, Sendable {
        /// Below their images.
        case stacked = 0
        /// Beside their images.
        case inline = 1
        /// Beside their images, in a low bar.
        case compactInline = 2
    }

    /// The usual look.
    public let normal = UITabBarItemStateAppearance()
    /// The look of the chosen tab.
    public let selected = UITabBarItemStateAppearance()
    /// The look of tabs that can't be used; browsers let any be chosen.
    public let disabled = UITabBarItemStateAppearance()
    /// The look of tabs with the focus; browsers show that by themselves.
    public let focused = UITabBarItemStateAppearance()

    /// Is called after each change in place.
    var onChange: (@MainActor () -> Void)? { didSet { for state in states { state.onChange = onChange } } }
    private var states: [UITabBarItemStateAppearance] { [normal, selected, disabled, focused] }

    /// Creates the looks of the system.
    public override init() {
        super.init()
    }

    /// Creates the looks that the system gives a style.
    public init(style: Style) {
        super.init()
    }

    /// Returns a copy of the looks.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UITabBarItemAppearance()
        for (state, other) in zip(copy.states, states) { state.take(other) }
        return copy
    }

    /// Returns the copy that a bar's looks keep, which calls back after this change and each one in place.
    func kept(_ onChange: (@MainActor () -> Void)?) -> UITabBarItemAppearance {
        let kept = copy(with: nil) as? UITabBarItemAppearance ?? self
        kept.onChange = onChange
        onChange?()
        return kept
    }

    /// Takes the looks that the system gives a style.
    open func configureWithDefault(for style: Style) {
        for state in states {
            (state.titleTextAttributes, state.badgeTextAttributes) = ([:], [:])
            (state.iconColor, state.badgeBackgroundColor) = (nil, nil)
        }
    }

    /// Adds the looks to a drawn tab.
    func style(_ tab: String, isSelected: Bool, in drawing: Drawing) {
        let state = isSelected ? selected : normal
        drawing.nodes["\(tab).title"]?.take(normal.titleTextAttributes.merging(state.titleTextAttributes) { $1 })
        if let color = state.iconColor { drawing.nodes["\(tab).icon"]?.style["--tab"] = color.css }
        if let color = state.badgeBackgroundColor { drawing.nodes["\(tab).badge"]?.style["background"] = color.css }
        drawing.nodes["\(tab).badge"]?.take(state.badgeTextAttributes)
    }
}

extension Node {
    /// Takes font and colour of a text.
    @MainActor
    mutating func take(_ attributes: [NSAttributedString.Key: Any]) {
        if let color = attributes[.foregroundColor] as? UIColor { style["color"] = color.css }
        if let font = attributes[.font] as? UIFont { style.merge(font.css(lineSpacing: nil)) { $1 } }
    }

    /// Takes font and colour that a text in a bar has while nothing is scrolled.
    @MainActor
    mutating func takeResting(_ attributes: [NSAttributedString.Key: Any]) {
        var resting = Node()
        resting.take(attributes)
        add(class: "edged")
        for (name, value) in resting.style { style["--edge-\(name)"] = value }
    }
}
