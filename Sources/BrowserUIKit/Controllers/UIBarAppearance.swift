/// Describes how a bar looks.
@preconcurrency @MainActor
open class UIBarAppearance: NSObject {
    /// The background; `nil`, the default, is that of the system.
    open var backgroundColor: UIColor?
    /// How what is below shines through the bar; `nil` lets it through as it is.
    ///
    /// The default is that of the system.
    open var backgroundEffect: UIBlurEffect? = UIBlurEffect(style: .systemChromeMaterial)
    /// The colour of the line at the edge of the bar; `nil` leaves it out.
    ///
    /// The default is that of the system.
    open var shadowColor: UIColor? = .separator
    /// The image of the line at the edge of the bar; an empty one leaves it out, and others are not shown.
    ///
    /// The default is none.
    open var shadowImage: UIImage?
    private(set) var isOpaque = false
    var hidesShadow: Bool { shadowColor == nil || shadowColor == .clear || shadowImage?.size == .zero }

    /// Creates the looks of the system.
    public required override init() {
        super.init()
    }

    /// Creates the looks of the system for a device; they are the same for all.
    public init(idiom: UIUserInterfaceIdiom) {
        super.init()
    }

    /// Creates the looks that another kind of bar has.
    public init(barAppearance: UIBarAppearance) {
        super.init()
        takeBackground(of: barAppearance)
    }

    /// Takes background and line of another kind of bar.
    func takeBackground(of other: UIBarAppearance) {
        (backgroundColor, backgroundEffect) = (other.backgroundColor, other.backgroundEffect)
        (shadowColor, shadowImage, isOpaque) = (other.shadowColor, other.shadowImage, other.isOpaque)
    }

    /// Takes the looks of the system, through which what is below shines.
    open func configureWithDefaultBackground() {
        (isOpaque, backgroundColor, shadowColor) = (false, nil, .separator)
        backgroundEffect = UIBlurEffect(style: .systemChromeMaterial)
    }

    /// Takes a background through which nothing shines.
    open func configureWithOpaqueBackground() {
        (isOpaque, backgroundColor, shadowColor, backgroundEffect) = (true, .systemBackground, .separator, nil)
    }

    /// Takes no background.
    open func configureWithTransparentBackground() {
        (isOpaque, backgroundColor, shadowColor, backgroundEffect) = (false, .clear, nil, nil)
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
    /// How the title looks: its font and colour.
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
    /// How a large title looks: its font and colour.
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:]
    /// How buttons look.
    open var buttonAppearance = UIBarButtonItemAppearance(style: .plain)
    /// How buttons look that end what the user does.
    open var doneButtonAppearance = UIBarButtonItemAppearance(style: .done)
    /// How the button looks that leads back.
    open var backButtonAppearance = UIBarButtonItemAppearance(style: .plain)
}

/// Describes how a toolbar looks.
open class UIToolbarAppearance: UIBarAppearance {
    /// How buttons look.
    open var buttonAppearance = UIBarButtonItemAppearance(style: .plain)
    /// How buttons look that end what the user does.
    open var doneButtonAppearance = UIBarButtonItemAppearance(style: .done)
}

/// Describes how the bar of a controller of tabs looks.
open class UITabBarAppearance: UIBarAppearance {
    /// How tabs look whose titles are below their images, as on a phone held upright.
    open var stackedLayoutAppearance = UITabBarItemAppearance(style: .stacked)
    /// How tabs look whose titles are beside their images, as on a tablet.
    open var inlineLayoutAppearance = UITabBarItemAppearance(style: .inline)
    /// How tabs look on a phone held across.
    open var compactInlineLayoutAppearance = UITabBarItemAppearance(style: .compactInline)

    /// Returns how tabs look in surroundings.
    func items(in traits: UITraitCollection) -> UITabBarItemAppearance {
        if traits.verticalSizeClass == .compact { return compactInlineLayoutAppearance }
        return traits.horizontalSizeClass == .regular ? inlineLayoutAppearance : stackedLayoutAppearance
    }
}
