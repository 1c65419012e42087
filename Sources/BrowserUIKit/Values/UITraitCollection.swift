/// Says whether an interface is light or dark.
public enum UIUserInterfaceStyle: Int, Sendable {
    /// Whatever the surroundings say.
    case unspecified = 0
    /// Light.
    case light = 1
    /// Dark.
    case dark = 2
}

/// Says whether the user wants more contrast.
public enum UIAccessibilityContrast: Int, Sendable {
    /// Not known.
    case unspecified = -1
    /// As usual.
    case normal = 0
    /// More.
    case high = 1
}

/// Says in which direction an interface runs.
public enum UITraitEnvironmentLayoutDirection: Int, Sendable {
    /// Not known.
    case unspecified = -1
    /// From left to right.
    case leftToRight = 0
    /// From right to left.
    case rightToLeft = 1
}

/// Says how much room there is in one direction.
public enum UIUserInterfaceSizeClass: Int, Sendable {
    /// Not known.
    case unspecified = 0
    /// Little, as on a phone.
    case compact = 1
    /// Much, as on a tablet.
    case regular = 2
}

/// Names the text size that the user chose.
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a category from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Is posted after the user has chosen another text size.
    public static let didChangeNotification = NSNotification.Name("UIContentSizeCategoryDidChangeNotification")
    /// The key of the name of the size that was chosen.
    public static let newValueUserInfoKey = "UIContentSizeCategoryNewValueKey"

    /// Nothing chosen.
    public static let unspecified = Self(rawValue: "_UICTContentSizeCategoryUnspecified")
    /// The smallest.
    public static let extraSmall = Self(rawValue: "UICTContentSizeCategoryXS")
    /// Small.
    public static let small = Self(rawValue: "UICTContentSizeCategoryS")
    /// Medium.
    public static let medium = Self(rawValue: "UICTContentSizeCategoryM")
    /// Large, the default of the system.
    public static let large = Self(rawValue: "UICTContentSizeCategoryL")
    /// Extra large.
    public static let extraLarge = Self(rawValue: "UICTContentSizeCategoryXL")
    /// Extra extra large.
    public static let extraExtraLarge = Self(rawValue: "UICTContentSizeCategoryXXL")
    /// The largest without accessibility sizes.
    public static let extraExtraExtraLarge = Self(rawValue: "UICTContentSizeCategoryXXXL")
    /// The smallest accessibility size.
    public static let accessibilityMedium = Self(rawValue: "UICTContentSizeCategoryAccessibilityM")
    /// The second accessibility size.
    public static let accessibilityLarge = Self(rawValue: "UICTContentSizeCategoryAccessibilityL")
    /// The third accessibility size.
    public static let accessibilityExtraLarge = Self(rawValue: "UICTContentSizeCategoryAccessibilityXL")
    /// The fourth accessibility size.
    public static let accessibilityExtraExtraLarge = Self(rawValue: "UICTContentSizeCategoryAccessibilityXXL")
    /// The largest.
    public static let accessibilityExtraExtraExtraLarge = Self(rawValue: "UICTContentSizeCategoryAccessibilityXXXL")

    static let ordered: [Self] = [
        .extraSmall, .small, .medium, .large, .extraLarge, .extraExtraLarge, .extraExtraExtraLarge,
        .accessibilityMedium, .accessibilityLarge, .accessibilityExtraLarge, .accessibilityExtraExtraLarge,
        .accessibilityExtraExtraExtraLarge,
    ]

    var step: Int { Self.ordered.firstIndex(of: self) ?? 3 }

    /// Whether this is one of the accessibility sizes.
    public var isAccessibilityCategory: Bool { step > 6 }
}

extension UIContentSizeCategory: Comparable {
    /// Returns whether text is smaller in one category than in another.
    public static func < (left: Self, right: Self) -> Bool { left.step < right.step }
}

/// Describes the surroundings of a view: appearance, text size, direction and room.
public struct UITraitCollection: Hashable, Sendable {
    /// Light or dark.
    public internal(set) var userInterfaceStyle = UIUserInterfaceStyle.light
    /// The direction of the interface.
    public internal(set) var layoutDirection = UITraitEnvironmentLayoutDirection.leftToRight
    /// Whether the user wants more contrast.
    public internal(set) var accessibilityContrast = UIAccessibilityContrast.normal
    /// The text size.
    public internal(set) var preferredContentSizeCategory = UIContentSizeCategory.large
    /// The room from side to side.
    public internal(set) var horizontalSizeClass = UIUserInterfaceSizeClass.compact
    /// The room from top to bottom.
    public internal(set) var verticalSizeClass = UIUserInterfaceSizeClass.regular
    /// The number of pixels in a point.
    public internal(set) var displayScale: CGFloat = 2
    /// The languages of the user of this tab (BCP 47); those of the process where there is no tab.
    package var preferredLanguages = Locale.preferredLanguages

    /// Creates the traits of a phone held upright.
    public init() {}

    /// Creates traits with an appearance.
    public init(userInterfaceStyle: UIUserInterfaceStyle) {
        self.userInterfaceStyle = userInterfaceStyle
    }

    /// Creates traits with a text size.
    public init(preferredContentSizeCategory: UIContentSizeCategory) {
        self.preferredContentSizeCategory = preferredContentSizeCategory
    }

    /// Makes these the current traits while a closure runs.
    @MainActor
    public func performAsCurrent(_ actions: () -> Void) {
        let previous = Self.current
        Self.current = self
        actions()
        Self.current = previous
    }

    /// Creates traits with a contrast.
    public init(accessibilityContrast: UIAccessibilityContrast) {
        self.accessibilityContrast = accessibilityContrast
    }

    /// Returns whether colours look different under the other traits.
    public func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool {
        userInterfaceStyle != traitCollection?.userInterfaceStyle
            || accessibilityContrast != traitCollection?.accessibilityContrast
    }

    /// The traits that colours are resolved with where no view says otherwise.
    @preconcurrency @MainActor public static var current = UITraitCollection()
}
