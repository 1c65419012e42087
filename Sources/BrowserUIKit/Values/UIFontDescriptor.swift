/// Describes a font, for others to be made from it.
public final class UIFontDescriptor: Hashable, Sendable {
    /// Says what a font looks like.
    public struct SymbolicTraits: OptionSet, Sendable {
        /// One bit a trait.
        public let rawValue: UInt32

        /// Creates traits from their bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// It leans to the side.
        public static let traitItalic = SymbolicTraits(rawValue: 1)
        /// It is bold.
        public static let traitBold = SymbolicTraits(rawValue: 2)
        /// All of its letters are as wide.
        public static let traitMonoSpace = SymbolicTraits(rawValue: 1_024)
    }

    /// Names a kind of the font of the system.
    public struct SystemDesign: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The usual one.
        public static let `default` = SystemDesign(rawValue: "NSCTFontUIFontDesignDefault")
        /// With round ends.
        public static let rounded = SystemDesign(rawValue: "NSCTFontUIFontDesignRounded")
        /// With feet.
        public static let serif = SystemDesign(rawValue: "NSCTFontUIFontDesignSerif")
        /// With letters that are all as wide.
        public static let monospaced = SystemDesign(rawValue: "NSCTFontUIFontDesignMonospaced")
    }

    let font: UIFont

    init(_ font: UIFont) {
        self.font = font
    }

    /// Returns the description of the font of a text style, in the size that the user has chosen.
    @MainActor
    public static func preferredFontDescriptor(withTextStyle style: UIFont.TextStyle) -> UIFontDescriptor {
        UIFont.preferredFont(forTextStyle: style).fontDescriptor
    }

    /// The size, in points.
    public var pointSize: CGFloat { font.pointSize }
    /// The traits of the font.
    public var symbolicTraits: SymbolicTraits {
        var traits: SymbolicTraits = []
        if font.isItalic { traits.insert(.traitItalic) }
        if isBold { traits.insert(.traitBold) }
        if font.isMonospaced { traits.insert(.traitMonoSpace) }
        return traits
    }

    private var isBold: Bool { font.weight.rawValue >= UIFont.Weight.semibold.rawValue }

    /// Returns the description of the same font with these traits alone.
    public func withSymbolicTraits(_ symbolicTraits: SymbolicTraits) -> UIFontDescriptor? {
        let wantsBold = symbolicTraits.contains(.traitBold)
        return UIFontDescriptor(
            UIFont(
                size: font.pointSize,
                weight: wantsBold == isBold ? font.weight : wantsBold ? .bold : .regular,
                isItalic: symbolicTraits.contains(.traitItalic),
                isMonospaced: symbolicTraits.contains(.traitMonoSpace),
                hasEvenDigits: font.hasEvenDigits,
                family: font.family,
                scaling: font.scaling
            )
        )
    }

    /// Returns the description of a kind of the font; `nil` for one that isn't known.
    public func withDesign(_ design: SystemDesign) -> UIFontDescriptor? {
        let families: [SystemDesign: String?] = [
            .default: nil, .rounded: "ui-rounded, Nunito, Inter, sans-serif",
            .serif: "ui-serif, \"New York\", Georgia, serif", .monospaced: nil,
        ]
        guard let family = families[design] else { return nil }
        return UIFontDescriptor(
            UIFont(
                size: font.pointSize,
                weight: font.weight,
                isItalic: font.isItalic,
                isMonospaced: design == .monospaced,
                hasEvenDigits: font.hasEvenDigits,
                family: family,
                scaling: font.scaling
            )
        )
    }

    /// Returns the description of the same font in another size, which no longer scales.
    public func withSize(_ newPointSize: CGFloat) -> UIFontDescriptor { UIFontDescriptor(font.withSize(newPointSize)) }

    /// Returns whether both describe the same font.
    public static func == (left: UIFontDescriptor, right: UIFontDescriptor) -> Bool { left.font == right.font }

    /// Feeds the description into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(font)
    }
}

extension UIFont {
    /// Creates the font that a description means, in a size; 0 stands for the size that it names.
    public convenience init(descriptor: UIFontDescriptor, size pointSize: CGFloat) {
        let font = descriptor.font
        self.init(
            size: pointSize > 0 ? pointSize : font.pointSize,
            weight: font.weight,
            isItalic: font.isItalic,
            isMonospaced: font.isMonospaced,
            hasEvenDigits: font.hasEvenDigits,
            family: font.family,
            scaling: pointSize > 0 ? nil : font.scaling
        )
    }

    /// The description of the font.
    public var fontDescriptor: UIFontDescriptor { UIFontDescriptor(self) }
}
