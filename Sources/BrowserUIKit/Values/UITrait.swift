/// Names a part of the surroundings of a view, to be told when that changes.
public protocol UITraitDefinition {
    /// The type of the values.
    associatedtype Value
}

/// The type of a part of the surroundings.
public typealias UITrait = any UITraitDefinition.Type

/// Light or dark.
public enum UITraitUserInterfaceStyle: UITraitDefinition {
    /// The type of the values.
    public typealias Value = UIUserInterfaceStyle
}

/// The direction of the interface.
public enum UITraitLayoutDirection: UITraitDefinition {
    /// The type of the values.
    public typealias Value = UITraitEnvironmentLayoutDirection
}

/// Whether the user wants more contrast.
public enum UITraitAccessibilityContrast: UITraitDefinition {
    /// The type of the values.
    public typealias Value = UIAccessibilityContrast
}

/// The text size.
public enum UITraitPreferredContentSizeCategory: UITraitDefinition {
    /// The type of the values.
    public typealias Value = UIContentSizeCategory
}

/// The room from side to side.
public enum UITraitHorizontalSizeClass: UITraitDefinition {
    /// The type of the values.
    public typealias Value = UIUserInterfaceSizeClass
}

/// The room from top to bottom.
public enum UITraitVerticalSizeClass: UITraitDefinition {
    /// The type of the values.
    public typealias Value = UIUserInterfaceSizeClass
}

/// The number of pixels in a point.
public enum UITraitDisplayScale: UITraitDefinition {
    /// The type of the values.
    public typealias Value = CGFloat
}

extension UITraitCollection {
    /// The parts of the surroundings on which colours depend.
    public static var systemTraitsAffectingColorAppearance: [UITrait] {
        [UITraitUserInterfaceStyle.self, UITraitAccessibilityContrast.self]
    }

    /// The parts of the surroundings on which images depend.
    public static var systemTraitsAffectingImageLookup: [UITrait] {
        [
            UITraitUserInterfaceStyle.self, UITraitAccessibilityContrast.self, UITraitLayoutDirection.self,
            UITraitHorizontalSizeClass.self, UITraitVerticalSizeClass.self, UITraitDisplayScale.self,
        ]
    }

    /// Whether a part differs; parts that aren't the system's never do.
    func differs(from other: UITraitCollection, in trait: UITrait) -> Bool {
        switch ObjectIdentifier(trait) {
        case ObjectIdentifier(UITraitUserInterfaceStyle.self): userInterfaceStyle != other.userInterfaceStyle
        case ObjectIdentifier(UITraitLayoutDirection.self): layoutDirection != other.layoutDirection
        case ObjectIdentifier(UITraitAccessibilityContrast.self):
            accessibilityContrast != other.accessibilityContrast
        case ObjectIdentifier(UITraitPreferredContentSizeCategory.self):
            preferredContentSizeCategory != other.preferredContentSizeCategory
        case ObjectIdentifier(UITraitHorizontalSizeClass.self): horizontalSizeClass != other.horizontalSizeClass
        case ObjectIdentifier(UITraitVerticalSizeClass.self): verticalSizeClass != other.verticalSizeClass
        case ObjectIdentifier(UITraitDisplayScale.self): displayScale != other.displayScale
        default: false
        }
    }
}
