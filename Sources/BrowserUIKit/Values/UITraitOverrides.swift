/// Holds the parts of the surroundings that a view or a controller sets for itself and for what is in it.
///
/// A part that isn't overridden is that of the surroundings, and reads as unspecified here.
public struct UITraitOverrides {
    private var style: UIUserInterfaceStyle?
    private var direction: UITraitEnvironmentLayoutDirection?
    private var contrast: UIAccessibilityContrast?
    private var textSize: UIContentSizeCategory?
    private var horizontalRoom: UIUserInterfaceSizeClass?
    private var verticalRoom: UIUserInterfaceSizeClass?
    private var scale: CGFloat?

    /// Light or dark.
    public var userInterfaceStyle: UIUserInterfaceStyle {
        get { style ?? .unspecified }
        set { style = newValue }
    }
    /// The direction of the interface.
    public var layoutDirection: UITraitEnvironmentLayoutDirection {
        get { direction ?? .unspecified }
        set { direction = newValue }
    }
    /// Whether the user wants more contrast.
    public var accessibilityContrast: UIAccessibilityContrast {
        get { contrast ?? .unspecified }
        set { contrast = newValue }
    }
    /// The text size.
    public var preferredContentSizeCategory: UIContentSizeCategory {
        get { textSize ?? .unspecified }
        set { textSize = newValue }
    }
    /// The room from side to side.
    public var horizontalSizeClass: UIUserInterfaceSizeClass {
        get { horizontalRoom ?? .unspecified }
        set { horizontalRoom = newValue }
    }
    /// The room from top to bottom.
    public var verticalSizeClass: UIUserInterfaceSizeClass {
        get { verticalRoom ?? .unspecified }
        set { verticalRoom = newValue }
    }
    /// The number of pixels in a point; 0 where it isn't overridden.
    public var displayScale: CGFloat {
        get { scale ?? 0 }
        set { scale = newValue }
    }

    /// Returns whether a part is overridden.
    public func contains(_ trait: UITrait) -> Bool {
        switch ObjectIdentifier(trait) {
        case ObjectIdentifier(UITraitUserInterfaceStyle.self): style != nil
        case ObjectIdentifier(UITraitLayoutDirection.self): direction != nil
        case ObjectIdentifier(UITraitAccessibilityContrast.self): contrast != nil
        case ObjectIdentifier(UITraitPreferredContentSizeCategory.self): textSize != nil
        case ObjectIdentifier(UITraitHorizontalSizeClass.self): horizontalRoom != nil
        case ObjectIdentifier(UITraitVerticalSizeClass.self): verticalRoom != nil
        case ObjectIdentifier(UITraitDisplayScale.self): scale != nil
        default: false
        }
    }

    /// Leaves a part to the surroundings again.
    public mutating func remove(_ trait: UITrait) {
        switch ObjectIdentifier(trait) {
        case ObjectIdentifier(UITraitUserInterfaceStyle.self): style = nil
        case ObjectIdentifier(UITraitLayoutDirection.self): direction = nil
        case ObjectIdentifier(UITraitAccessibilityContrast.self): contrast = nil
        case ObjectIdentifier(UITraitPreferredContentSizeCategory.self): textSize = nil
        case ObjectIdentifier(UITraitHorizontalSizeClass.self): horizontalRoom = nil
        case ObjectIdentifier(UITraitVerticalSizeClass.self): verticalRoom = nil
        case ObjectIdentifier(UITraitDisplayScale.self): scale = nil
        default: break
        }
    }
}

extension UITraitOverrides {
    /// The appearance that is forced; `nil` for that of the surroundings.
    var forcedStyle: UIUserInterfaceStyle? { style == .unspecified ? nil : style }

    /// The direction that is forced; `nil` for that of the surroundings.
    var forcedDirection: UITraitEnvironmentLayoutDirection? { direction == .unspecified ? nil : direction }

    /// Sets the parts that are overridden; what is unspecified is that of the surroundings.
    func apply(to traits: inout UITraitCollection) {
        if let forcedStyle { traits.userInterfaceStyle = forcedStyle }
        if let forcedDirection { traits.layoutDirection = forcedDirection }
        if let contrast, contrast != .unspecified { traits.accessibilityContrast = contrast }
        if let textSize, textSize != .unspecified { traits.preferredContentSizeCategory = textSize }
        if let horizontalRoom, horizontalRoom != .unspecified { traits.horizontalSizeClass = horizontalRoom }
        if let verticalRoom, verticalRoom != .unspecified { traits.verticalSizeClass = verticalRoom }
        if let scale, scale > 0 { traits.displayScale = scale }
    }
}
