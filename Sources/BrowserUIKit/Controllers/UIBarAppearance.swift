/// Describes how a bar looks.
@preconcurrency @MainActor
open class UIBarAppearance: NSObject {
    /// The background; `nil`, the default, is that of the system.
    open var backgroundColor: UIColor?
    /// The blur of what shines through the bar from below; `nil` lets it through as it is.
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
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
    /// The look of a large title: its font and colour.
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:]
    /// The look of buttons.
    open var buttonAppearance = UIBarButtonItemAppearance(style: .plain)
    /// The look of buttons that end what the user does.
    open var doneButtonAppearance = UIBarButtonItemAppearance(style: .done)
    /// The look of the button that leads back.
    open var backButtonAppearance = UIBarButtonItemAppearance(style: .plain)
}

/// Describes how a toolbar looks.
open class UIToolbarAppearance: UIBarAppearance {
    /// The look of buttons.
    open var buttonAppearance = UIBarButtonItemAppearance(style: .plain)
    /// The look of buttons that end what the user does.
    open var doneButtonAppearance = UIBarButtonItemAppearance(style: .done)
}

/// Describes how the bar of a controller of tabs looks.
open class UITabBarAppearance: UIBarAppearance {
    /// The look of tabs whose titles are below their images, as on a phone held upright.
    open var stackedLayoutAppearance = UITabBarItemAppearance(style: .stacked)
    /// The look of tabs whose titles are beside their images, as on a tablet.
    open var inlineLayoutAppearance = UITabBarItemAppearance(style: .inline)
    /// The look of tabs on a phone held across.
    open var compactInlineLayoutAppearance = UITabBarItemAppearance(style: .compactInline)

    /// Returns how tabs look in surroundings.
    func items(in traits: UITraitCollection) -> UITabBarItemAppearance {
        if traits.verticalSizeClass == .compact { return compactInlineLayoutAppearance }
        return traits.horizontalSizeClass == .regular ? inlineLayoutAppearance : stackedLayoutAppearance
    }
}
