extension UIFont {
    /// Names a role of text, whose size follows the user's choice.
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a style from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The largest title without large text.
        public static let largeTitle = Self(rawValue: "UICTFontTextStyleTitle0")
        /// The first level of titles.
        public static let title1 = Self(rawValue: "UICTFontTextStyleTitle1")
        /// The second level of titles.
        public static let title2 = Self(rawValue: "UICTFontTextStyleTitle2")
        /// The third level of titles.
        public static let title3 = Self(rawValue: "UICTFontTextStyleTitle3")
        /// Headings.
        public static let headline = Self(rawValue: "UICTFontTextStyleHeadline")
        /// Headings of the second level.
        public static let subheadline = Self(rawValue: "UICTFontTextStyleSubhead")
        /// Running text.
        public static let body = Self(rawValue: "UICTFontTextStyleBody")
        /// Callouts.
        public static let callout = Self(rawValue: "UICTFontTextStyleCallout")
        /// Footnotes.
        public static let footnote = Self(rawValue: "UICTFontTextStyleFootnote")
        /// Captions.
        public static let caption1 = Self(rawValue: "UICTFontTextStyleCaption1")
        /// Captions of the second level.
        public static let caption2 = Self(rawValue: "UICTFontTextStyleCaption2")

        /// The point sizes from the smallest to the largest category.
        var sizes: [CGFloat] { Self.table[self] ?? Self.table[.body] ?? [] }

        private static let table: [TextStyle: [CGFloat]] = [
            .largeTitle: [31, 32, 33, 34, 36, 38, 40, 44, 48, 52, 56, 60],
            .title1: [25, 26, 27, 28, 30, 32, 34, 38, 43, 48, 53, 58],
            .title2: [19, 20, 21, 22, 24, 26, 28, 34, 39, 44, 50, 56],
            .title3: [17, 18, 19, 20, 22, 24, 26, 31, 37, 43, 49, 55],
            .headline: [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53],
            .subheadline: [12, 13, 14, 15, 17, 19, 21, 25, 30, 36, 42, 49],
            .body: [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53],
            .callout: [13, 14, 15, 16, 18, 20, 22, 26, 32, 38, 44, 51],
            .footnote: [12, 12, 12, 13, 15, 17, 19, 23, 27, 33, 38, 44],
            .caption1: [11, 11, 11, 12, 14, 16, 18, 22, 26, 32, 37, 43],
            .caption2: [11, 11, 11, 11, 13, 15, 17, 20, 24, 29, 34, 40],
        ]

        func size(for category: UIContentSizeCategory) -> CGFloat {
            let sizes = sizes
            return sizes.indices.contains(category.step) ? sizes[category.step] : labelFontSize
        }
    }

    /// Returns the font of a style under the current traits.
    @MainActor
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        preferredFont(forTextStyle: style, compatibleWith: .current)
    }

    /// Returns the font of a style under given traits.
    public static func preferredFont(
        forTextStyle style: TextStyle,
        compatibleWith traitCollection: UITraitCollection?
    ) -> UIFont {
        let category = traitCollection?.preferredContentSizeCategory ?? .large
        return UIFont(
            size: style.size(for: category),
            weight: style == .headline ? .semibold : .regular,
            scaling: Scaling(style: style, basePointSize: style.size(for: .large), maximumPointSize: nil)
        )
    }

    /// Returns the same font for another text size; a font of fixed size stays.
    func scaled(for category: UIContentSizeCategory) -> UIFont {
        guard let scaling else { return self }
        let wanted: CGFloat
        if scaling.basePointSize == scaling.style.size(for: .large) {
            wanted = scaling.style.size(for: category)
        } else {
            wanted = UIFontMetrics.scale(scaling.basePointSize, with: scaling.style, for: category)
        }
        return with(size: min(wanted, scaling.maximumPointSize ?? .infinity), scaling: scaling)
    }
}

/// Scales fonts and lengths of an app's own with the user's text size.
public final class UIFontMetrics: Sendable {
    private let style: UIFont.TextStyle

    /// Scales as running text does.
    public static let `default` = UIFontMetrics(forTextStyle: .body)

    /// Creates metrics that scale as a style does.
    public init(forTextStyle textStyle: UIFont.TextStyle) {
        style = textStyle
    }

    /// Returns a font that scales from the size it has for the category `large`.
    @MainActor
    public func scaledFont(for font: UIFont) -> UIFont {
        scaledFont(for: font, maximumPointSize: .infinity)
    }

    /// Returns a font that scales, up to a size.
    @MainActor
    public func scaledFont(for font: UIFont, maximumPointSize: CGFloat) -> UIFont {
        scaledFont(for: font, maximumPointSize: maximumPointSize, compatibleWith: nil)
    }

    /// Returns a font that scales, in the size for given traits; `nil` for the current ones.
    @MainActor
    public func scaledFont(for font: UIFont, compatibleWith traitCollection: UITraitCollection?) -> UIFont {
        scaledFont(for: font, maximumPointSize: .infinity, compatibleWith: traitCollection)
    }

    /// Returns a font that scales up to a size, in the size for given traits; `nil` for the current ones.
    @MainActor
    public func scaledFont(
        for font: UIFont,
        maximumPointSize: CGFloat,
        compatibleWith traitCollection: UITraitCollection?
    ) -> UIFont {
        let scaling = UIFont.Scaling(style: style, basePointSize: font.pointSize, maximumPointSize: maximumPointSize)
        return font.with(size: font.pointSize, scaling: scaling)
            .scaled(for: (traitCollection ?? .current).preferredContentSizeCategory)
    }

    /// Returns a length scaled from the one for the category `large`.
    @MainActor
    public func scaledValue(for value: CGFloat) -> CGFloat {
        scaledValue(for: value, compatibleWith: nil)
    }

    /// Returns a length scaled for given traits from the one for the category `large`; `nil` for the current ones.
    @MainActor
    public func scaledValue(for value: CGFloat, compatibleWith traitCollection: UITraitCollection?) -> CGFloat {
        Self.scale(value, with: style, for: (traitCollection ?? .current).preferredContentSizeCategory)
    }

    static func scale(_ value: CGFloat, with style: UIFont.TextStyle, for category: UIContentSizeCategory) -> CGFloat {
        (value * style.size(for: category) / style.size(for: .large) * 2).rounded() / 2
    }
}
