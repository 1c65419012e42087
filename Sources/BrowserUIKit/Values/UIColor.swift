/// Holds one fixed colour.
public final class CGColor: Hashable, Sendable {
    /// Red, green, blue and opacity, each from 0 to 1.
    public let components: [CGFloat]?

    /// Creates a colour of the sRGB space; each part is from 0 to 1.
    public init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        components = [red, green, blue, alpha]
    }

    /// The opacity, from 0 to 1.
    public var alpha: CGFloat { components?.last ?? 0 }

    /// Returns whether both are the same colour.
    public static func == (left: CGColor, right: CGColor) -> Bool { left.components == right.components }

    /// Feeds the colour into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(components)
    }

    var css: String {
        let parts = components ?? [0, 0, 0, 0]
        let bytes = parts.prefix(3).map { String(Int(($0 * 255).rounded())) }.joined(separator: " ")
        return parts[3] >= 1 ? "rgb(\(bytes))" : "rgb(\(bytes) / \(CSS.number(parts[3])))"
    }
}

/// Holds a colour, which may depend on the traits of the view that shows it.
public final class UIColor: Hashable, Sendable {
    let usual: Sides
    /// The colour where the user wants more contrast.
    let high: Sides
    let isTint: Bool
    private let elevation: Elevation?

    /// A colour on light and on dark.
    struct Sides: Hashable {
        let light: CGColor
        let dark: CGColor

        func map(_ change: (CGColor) -> CGColor) -> Sides { Sides(light: change(light), dark: change(dark)) }
    }

    /// Names what takes the place of a dark background in a sheet, which the page knows.
    enum Elevation: String {
        case background, content, deep
    }

    init(_ usual: Sides, high: Sides? = nil, isTint: Bool = false, elevation: Elevation? = nil) {
        self.usual = usual
        self.high = high ?? usual
        self.isTint = isTint
        self.elevation = elevation
    }

    /// Creates a colour from red, green, blue and opacity, each from 0 to 1.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(cgColor: CGColor(srgbRed: red, green: green, blue: blue, alpha: alpha))
    }

    /// Creates a grey, from 0 for black to 1 for white.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Creates a colour that never changes.
    public convenience init(cgColor: CGColor) {
        self.init(Sides(light: cgColor, dark: cgColor))
    }

    /// Creates a colour that depends on the traits; the provider must always return the same for the same traits.
    public convenience init(dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor) {
        func color(_ style: UIUserInterfaceStyle, _ contrast: UIAccessibilityContrast) -> CGColor {
            var traits = UITraitCollection(userInterfaceStyle: style)
            traits.accessibilityContrast = contrast
            return dynamicProvider(traits).color(in: traits)
        }
        self.init(
            Sides(light: color(.light, .normal), dark: color(.dark, .normal)),
            high: Sides(light: color(.light, .high), dark: color(.dark, .high))
        )
    }

    private func color(in traits: UITraitCollection) -> CGColor {
        let sides = traits.accessibilityContrast == .high ? high : usual
        return traits.userInterfaceStyle == .dark ? sides.dark : sides.light
    }

    /// Returns the colour for given traits, as one that never changes.
    public func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
        UIColor(cgColor: color(in: traitCollection))
    }

    /// The colour under the current traits.
    ///
    /// It does not follow them: set it again when they change.
    @preconcurrency @MainActor public var cgColor: CGColor { color(in: .current) }

    /// Another object of the same look, which is told from one that the app set.
    var copied: UIColor { UIColor(usual, high: high, isTint: isTint, elevation: elevation) }

    /// Returns the same colour with another opacity, from 0 to 1.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        func changed(_ color: CGColor) -> CGColor {
            let parts = color.components ?? [0, 0, 0]
            return CGColor(srgbRed: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
        }
        return UIColor(usual.map(changed), high: high.map(changed))
    }

    /// Returns whether both look the same under all traits.
    public static func == (left: UIColor, right: UIColor) -> Bool {
        left.usual == right.usual && left.high == right.high
    }

    /// Feeds the colour into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(usual)
    }

    /// The browser picks the side itself, so that a change of appearance needs no new drawing; one of contrast does.
    @MainActor var css: String {
        if isTint { return "var(--tint)" }
        let sides = UITraitCollection.current.accessibilityContrast == .high ? high : usual
        let (light, dark) = (sides.light.css, sides.dark.css)
        if let elevation { return "light-dark(\(light), var(--elevated-\(elevation.rawValue), \(dark)))" }
        return sides.light == sides.dark ? light : "light-dark(\(light), \(dark))"
    }
}
