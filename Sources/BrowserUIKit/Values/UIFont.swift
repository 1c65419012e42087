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

        var css: Int {
            switch rawValue {
            case ..<0: 300
            case ..<0.2: 400
            case ..<0.27: 500
            case ..<0.35: 600
            case ..<0.5: 700
            default: 800
            }
        }
    }

    /// The size, in points.
    public let pointSize: CGFloat
    let weight: Weight
    let isItalic: Bool
    let isMonospaced: Bool
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
        family: String? = nil,
        scaling: Scaling? = nil
    ) {
        pointSize = size
        self.weight = weight
        self.isItalic = isItalic
        self.isMonospaced = isMonospaced
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

    /// Returns the same font in another size, which no longer scales.
    public func withSize(_ fontSize: CGFloat) -> UIFont {
        UIFont(size: fontSize, weight: weight, isItalic: isItalic, isMonospaced: isMonospaced, family: family)
    }

    /// The height of a line, in points.
    public var lineHeight: CGFloat { pointSize * 1.193_359_375 }

    /// Returns whether both are the same font.
    public static func == (left: UIFont, right: UIFont) -> Bool {
        left.pointSize == right.pointSize && left.weight == right.weight && left.isItalic == right.isItalic
            && left.isMonospaced == right.isMonospaced && left.scaling == right.scaling && left.family == right.family
    }

    /// Feeds the font into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pointSize)
        hasher.combine(weight)
    }
}
