/// Holds a font of the system.
public final class UIFont: Hashable, Sendable {
    /// Says how heavy a font is.
    public struct Weight: RawRepresentable, Hashable, Sendable {
        /// From -1 to 1.
        public let rawValue: CGFloat

        /// Creates a weight from its value.
        public init(rawValue: CGFloat) {
            self.rawValue = rawValue
        }

        /// As light as can be.
        public static let ultraLight = Self(rawValue: -0.8)
        /// Thin.
        public static let thin = Self(rawValue: -0.6)
        /// Light.
        public static let light = Self(rawValue: -0.4)
        /// Regular.
        public static let regular = Self(rawValue: 0)
        /// Medium.
        public static let medium = Self(rawValue: 0.23)
        /// Semibold.
        public static let semibold = Self(rawValue: 0.3)
        /// Bold.
        public static let bold = Self(rawValue: 0.4)
        /// Heavy.
        public static let heavy = Self(rawValue: 0.56)
        /// As heavy as can be.
        public static let black = Self(rawValue: 0.62)

        var css: Int {
            switch rawValue {
            case ..<(-0.7): 100
            case ..<(-0.5): 200
            case ..<0: 300
            case ..<0.2: 400
            case ..<0.27: 500
            case ..<0.35: 600
            case ..<0.5: 700
            case ..<0.6: 800
            default: 900
            }
        }
    }

    /// The size, in points.
    public let pointSize: CGFloat
    let weight: Weight
    let isItalic: Bool
    let isMonospaced: Bool
    /// Whether all digits are as wide.
    let hasEvenDigits: Bool
    /// The family of style sheets; `nil` for that of the system.
    let family: String?
    /// The scaling of the font; `nil` for a font of fixed size.
    let scaling: Scaling?

    struct Scaling: Hashable {
        let style: TextStyle
        let basePointSize: CGFloat
        let maximumPointSize: CGFloat?
    }

    init(
        size: CGFloat,
        weight: Weight = .regular,
        isItalic: Bool = false,
        isMonospaced: Bool = false,
        hasEvenDigits: Bool = false,
        family: String? = nil,
        scaling: Scaling? = nil
    ) {
        pointSize = size
        self.weight = weight
        self.isItalic = isItalic
        self.isMonospaced = isMonospaced
        self.hasEvenDigits = hasEvenDigits
        self.family = family
        self.scaling = scaling
    }

    /// The usual size of labels: 17.
    public static let labelFontSize: CGFloat = 17
    /// The usual size of the system: 14.
    public static let systemFontSize: CGFloat = 14

    /// Returns the font of the system in a size.
    public static func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(size: fontSize) }

    /// Returns the font of the system in a size and weight.
    public static func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight)
    }

    /// Returns the bold font of the system in a size.
    public static func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        UIFont(size: fontSize, weight: .bold)
    }

    /// Returns the italic font of the system in a size.
    public static func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        UIFont(size: fontSize, isItalic: true)
    }

    /// Returns the monospaced font of the system in a size and weight.
    public static func monospacedSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight, isMonospaced: true)
    }

    /// Returns the font of the system in a size and weight, with digits that are all as wide.
    public static func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight, hasEvenDigits: true)
    }

    /// Returns the same font in another size, which no longer scales.
    public func withSize(_ fontSize: CGFloat) -> UIFont { with(size: fontSize, scaling: nil) }

    func with(size: CGFloat, scaling: Scaling?) -> UIFont {
        UIFont(
            size: size,
            weight: weight,
            isItalic: isItalic,
            isMonospaced: isMonospaced,
            hasEvenDigits: hasEvenDigits,
            family: family,
            scaling: scaling
        )
    }

    /// The height of a line, in points.
    public var lineHeight: CGFloat { pointSize * 1.193_359_375 }

    /// The height of the highest letters above the line that they stand on, with the room above them; in points.
    public var ascender: CGFloat { pointSize * 0.952_148_437_5 }
    /// The depth of the lowest letters below that line, as a negative number of points.
    public var descender: CGFloat { pointSize * -0.241_210_937_5 }
    /// The height of capital letters, in points.
    public var capHeight: CGFloat { pointSize * 0.704_589_843_75 }
    /// The height of small letters such as x, in points.
    public var xHeight: CGFloat { pointSize * 0.526_25 }
    /// The room between lines, which the height of a line has in it already.
    public var leading: CGFloat { 0 }

    /// Returns whether both are the same font.
    public static func == (left: UIFont, right: UIFont) -> Bool {
        left.pointSize == right.pointSize && left.weight == right.weight && left.isItalic == right.isItalic
            && left.isMonospaced == right.isMonospaced && left.scaling == right.scaling && left.family == right.family
            && left.hasEvenDigits == right.hasEvenDigits
    }

    /// Feeds the font into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pointSize)
        hasher.combine(weight)
    }
}
