extension UIImage {
    /// Says how an image is shown.
    public class Configuration: NSObject, @unchecked Sendable {
        // Subclasses have constants alone.
        override init() {
            super.init()
        }
    }

    /// Says how heavy the lines of a symbol are.
    public enum SymbolWeight: Int, Sendable {
        /// Not known.
        case unspecified = 0
        /// Very light.
        case ultraLight = 1
        /// Lighter than light.
        case thin = 2
        /// Light.
        case light = 3
        /// Regular.
        case regular = 4
        /// Medium.
        case medium = 5
        /// Semibold.
        case semibold = 6
        /// Bold.
        case bold = 7
        /// Heavy.
        case heavy = 8
        /// Very heavy.
        case black = 9
    }

    /// Says how large a symbol is beside text.
    public enum SymbolScale: Int, Sendable {
        /// As the surroundings have it.
        case `default` = -1
        /// Not known.
        case unspecified = 0
        /// Small.
        case small = 1
        /// Medium.
        case medium = 2
        /// Large.
        case large = 3
    }

    /// Says in which size, weight and colour a symbol is drawn.
    public final class SymbolConfiguration: Configuration, @unchecked Sendable {
        private let pointSize: CGFloat?
        private let weight: SymbolWeight?
        private let scale: SymbolScale?
        let color: UIColor?

        private init(_ pointSize: CGFloat?, _ weight: SymbolWeight?, _ scale: SymbolScale?, _ color: UIColor?) {
            self.pointSize = pointSize
            self.weight = weight == .unspecified ? nil : weight
            self.scale = scale == .unspecified ? nil : scale
            self.color = color
            super.init()
        }

        /// A configuration that says nothing.
        public static let unspecified = SymbolConfiguration(nil, nil, nil, nil)

        /// Creates a configuration with the size of text, in points.
        public convenience init(pointSize: CGFloat) {
            self.init(pointSize, nil, nil, nil)
        }

        /// Creates a configuration with the size of text, in points, and a weight.
        public convenience init(pointSize: CGFloat, weight: SymbolWeight) {
            self.init(pointSize, weight, nil, nil)
        }

        /// Creates a configuration with the size of text, in points, a weight and a scale.
        public convenience init(pointSize: CGFloat, weight: SymbolWeight, scale: SymbolScale) {
            self.init(pointSize, weight, scale, nil)
        }

        /// Creates a configuration with a scale.
        public convenience init(scale: SymbolScale) {
            self.init(nil, nil, scale, nil)
        }

        /// Creates a configuration with a weight.
        public convenience init(weight: SymbolWeight) {
            self.init(nil, weight, nil, nil)
        }

        /// Creates a configuration with the size of a text style.
        @preconcurrency @MainActor public convenience init(textStyle: UIFont.TextStyle) {
            self.init(textStyle: textStyle, scale: .default)
        }

        /// Creates a configuration with the size of a text style, and a scale.
        @preconcurrency @MainActor public convenience init(textStyle: UIFont.TextStyle, scale: SymbolScale) {
            self.init(UIFont.preferredFont(forTextStyle: textStyle).pointSize, nil, scale, nil)
        }

        /// Creates a configuration with the size of a font.
        public convenience init(font: UIFont) {
            self.init(font: font, scale: .default)
        }

        /// Creates a configuration with the size of a font, and a scale.
        public convenience init(font: UIFont, scale: SymbolScale) {
            self.init(font.pointSize, nil, scale, nil)
        }

        /// Creates a configuration with a colour; browsers draw all layers of a symbol alike.
        public convenience init(hierarchicalColor: UIColor) {
            self.init(nil, nil, nil, hierarchicalColor)
        }

        /// Creates a configuration with a colour for each layer; browsers draw all layers in the first.
        public convenience init(paletteColors: [UIColor]) {
            self.init(nil, nil, nil, paletteColors.first)
        }

        /// Returns a configuration with what another one says beyond this one.
        public func applying(_ otherConfiguration: Configuration?) -> Self {
            guard let other = otherConfiguration as? SymbolConfiguration else { return self }
            let made = SymbolConfiguration(
                other.pointSize ?? pointSize,
                other.weight ?? weight,
                other.scale ?? scale,
                other.color ?? color
            )
            return unsafeDowncast(made, to: Self.self)
        }

        /// The width and height of the drawing, in points: 20 beside text of 17.
        var side: CGFloat {
            let factors: [SymbolScale: CGFloat] = [.small: 0.78, .large: 1.29]
            let size = min(max(pointSize ?? 17, 1), 1_000)
            return (size * 20 / 17 * (scale.flatMap { factors[$0] } ?? 1)).rounded()
        }

        /// The width of lines in the drawing, which is 24 wide.
        var lineWidth: CGFloat {
            let widths: [SymbolWeight: CGFloat] = [
                .ultraLight: 0.8, .thin: 1.1, .light: 1.4, .medium: 2, .semibold: 2.3, .bold: 2.6, .heavy: 2.9,
                .black: 3.2,
            ]
            return weight.flatMap { widths[$0] } ?? 1.8
        }
    }
}
