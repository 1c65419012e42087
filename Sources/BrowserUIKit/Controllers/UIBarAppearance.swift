/// Describes how a bar looks.
///
/// What takes it keeps a copy: later changes of this object don't reach the bar, those of the bar's own copy do.
@preconcurrency @MainActor
open class UIBarAppearance: NSObject, @preconcurrency NSCopying {
    /// The background; `nil`, the default, is that of the system.
    open var backgroundColor: UIColor? { didSet { onChange?() } }
    /// The blur of what shines through the bar from below; `nil` lets it through as it is.
    ///
    /// The default is that of the system.
    open var backgroundEffect: UIBlurEffect? = UIBlurEffect(style: .systemChromeMaterial) { didSet { onChange?() } }
    /// The colour of the line at the edge of the bar; `nil` leaves it out.
    ///
    /// The default is that of the system.
    open var shadowColor: UIColor? = .separator { didSet { onChange?() } }
    /// The image of the line at the edge of the bar; an empty one leaves it out, and others are not shown.
    ///
    /// The default is none.
    open var shadowImage: UIImage? { didSet { onChange?() } }
    private(set) var isOpaque = false
    /// Is called after each change in place, of buttons too: what keeps this is drawn again.
    var onChange: (@MainActor () -> Void)? { didSet { passOn() } }
    var hidesShadow: Bool { shadowColor == nil || shadowColor == .clear || shadowImage?.size == .zero }

    /// Creates the looks of the system.
    public required override init() {
        super.init()
    }

    /// Creates the looks of the system for a device; they are the same for all.
    public init(idiom: UIUserInterfaceIdiom) {
        super.init()
    }

    /// Creates the looks that another bar has, as far as this kind of bar has them.
    public init(barAppearance: UIBarAppearance) {
        super.init()
        take(barAppearance)
    }

    /// Returns a copy of the looks, with copies of those of its buttons.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        copy.take(self)
        return copy
    }

    /// Returns the copy that a bar keeps, which calls back after each change in place.
    func kept(_ onChange: (@MainActor () -> Void)? = nil) -> Self {
        let kept = copy(with: nil) as? Self ?? self
        kept.onChange = onChange
        return kept
    }

    /// Takes what another bar has of these looks: of any kind, background and line.
    func take(_ other: UIBarAppearance) {
        (backgroundColor, backgroundEffect) = (other.backgroundColor, other.backgroundEffect)
        (shadowColor, shadowImage, isOpaque) = (other.shadowColor, other.shadowImage, other.isOpaque)
    }

    /// Has changes of buttons call back, too.
    func passOn() {}

    /// Takes the looks of the system, through which what is below shines.
    open func configureWithDefaultBackground() {
        (isOpaque, backgroundColor, shadowColor, shadowImage) = (false, nil, .separator, nil)
        backgroundEffect = UIBlurEffect(style: .systemChromeMaterial)
    }

    /// Takes a background through which nothing shines.
    open func configureWithOpaqueBackground() {
        (isOpaque, backgroundColor, shadowColor, backgroundEffect) = (true, .systemBackground, .separator, nil)
        shadowImage = nil
    }

    /// Takes no background.
    open func configureWithTransparentBackground() {
        (isOpaque, backgroundColor, shadowColor, backgroundEffect) = (false, .clear, nil, nil)
        shadowImage = nil
    }

    /// Adds the colour of the line to the drawn bar, where it is not that of the system.
    func drawLine(_ node: inout Node) {
        if hidesShadow {
            node.style["--bar-line"] = "transparent"
        } else if let shadowColor, shadowColor != .separator {
            node.style["--bar-line"] = shadowColor.css
        }
    }
}

/// Describes how the bar of a navigation controller looks.
open class UINavigationBarAppearance: UIBarAppearance {
    /// The look of the title: its font and colour.
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:] { didSet { onChange?() } }
    /// The look of a large title: its font and colour.
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:] { didSet { onChange?() } }
    /// The look of buttons, of which a copy is kept.
    open var buttonAppearance = UIBarButtonItemAppearance(style: .plain) {
        didSet { buttonAppearance = buttonAppearance.kept(onChange) }
    }
    /// The look of buttons that end what the user does, of which a copy is kept.
    open var doneButtonAppearance = UIBarButtonItemAppearance(style: .done) {
        didSet { doneButtonAppearance = doneButtonAppearance.kept(onChange) }
    }
    /// The look of the button that leads back, of which a copy is kept.
    open var backButtonAppearance = UIBarButtonItemAppearance(style: .plain) {
        didSet { backButtonAppearance = backButtonAppearance.kept(onChange) }
    }

    override func take(_ other: UIBarAppearance) {
        super.take(other)
        if let other = other as? UIToolbarAppearance {
            (buttonAppearance, doneButtonAppearance) = (other.buttonAppearance, other.doneButtonAppearance)
        }
        guard let other = other as? UINavigationBarAppearance else { return }
        titleTextAttributes = other.titleTextAttributes
        largeTitleTextAttributes = other.largeTitleTextAttributes
        (buttonAppearance, doneButtonAppearance) = (other.buttonAppearance, other.doneButtonAppearance)
        backButtonAppearance = other.backButtonAppearance
    }

    override func passOn() {
        for look in [buttonAppearance, doneButtonAppearance, backButtonAppearance] { look.onChange = onChange }
    }
}

/// Describes how a toolbar looks.
open class UIToolbarAppearance: UIBarAppearance {
    /// The look of buttons, of which a copy is kept.
    open var buttonAppearance = UIBarButtonItemAppearance(style: .plain) {
        didSet { buttonAppearance = buttonAppearance.kept(onChange) }
    }
    /// The look of buttons that end what the user does, of which a copy is kept.
    open var doneButtonAppearance = UIBarButtonItemAppearance(style: .done) {
        didSet { doneButtonAppearance = doneButtonAppearance.kept(onChange) }
    }

    override func take(_ other: UIBarAppearance) {
        super.take(other)
        if let other = other as? UINavigationBarAppearance {
            (buttonAppearance, doneButtonAppearance) = (other.buttonAppearance, other.doneButtonAppearance)
        } else if let other = other as? UIToolbarAppearance {
            (buttonAppearance, doneButtonAppearance) = (other.buttonAppearance, other.doneButtonAppearance)
        }
    }

    override func passOn() {
        for look in [buttonAppearance, doneButtonAppearance] { look.onChange = onChange }
    }
}

/// Describes how the bar of a controller of tabs looks.
open class UITabBarAppearance: UIBarAppearance {
    /// The look of tabs whose titles are below their images, as on a phone held upright; a copy is kept.
    open var stackedLayoutAppearance = UITabBarItemAppearance(style: .stacked) {
        didSet { stackedLayoutAppearance = stackedLayoutAppearance.kept(onChange) }
    }
    /// The look of tabs whose titles are beside their images, as on a tablet; a copy is kept.
    open var inlineLayoutAppearance = UITabBarItemAppearance(style: .inline) {
        didSet { inlineLayoutAppearance = inlineLayoutAppearance.kept(onChange) }
    }
    /// The look of tabs on a phone held across; a copy is kept.
    open var compactInlineLayoutAppearance = UITabBarItemAppearance(style: .compactInline) {
        didSet { compactInlineLayoutAppearance = compactInlineLayoutAppearance.kept(onChange) }
    }

    override func take(_ other: UIBarAppearance) {
        super.take(other)
        guard let other = other as? UITabBarAppearance else { return }
        stackedLayoutAppearance = other.stackedLayoutAppearance
        inlineLayoutAppearance = other.inlineLayoutAppearance
        compactInlineLayoutAppearance = other.compactInlineLayoutAppearance
    }

    override func passOn() {
        for look in [stackedLayoutAppearance, inlineLayoutAppearance, compactInlineLayoutAppearance] {
            look.onChange = onChange
        }
    }

    /// Returns how tabs look in surroundings.
    func items(in traits: UITraitCollection) -> UITabBarItemAppearance {
        if traits.verticalSizeClass == .compact { return compactInlineLayoutAppearance }
        return traits.horizontalSizeClass == .regular ? inlineLayoutAppearance : stackedLayoutAppearance
    }
}
