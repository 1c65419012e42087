/// Describes the window that a browser shows an app in.
public struct BrowserEnvironment: Equatable, Sendable {
    /// The width, in points.
    public var width: CGFloat = 390
    /// The height, in points.
    public var height: CGFloat = 844
    /// The number of pixels in a point.
    public var scale: CGFloat = 2
    /// Whether the appearance is dark.
    public var isDark = false
    /// Whether the user wants more contrast.
    public var hasHighContrast = false
    /// Whether text runs from right to left.
    public var isRightToLeft = false
    /// The text size, from 0 for the smallest over 3, the default, to 11.
    public var textSize = 3
    /// The language that the user prefers (BCP 47).
    public var language = "en"
    /// The insets that bars of the device cover.
    public var safeArea = UIEdgeInsets.zero
    /// The height that a keyboard on the screen covers.
    public var keyboardHeight: CGFloat = 0
    /// Whether the user can't see the page: another tab is in front of it, or it is gone.
    public var isHidden = false

    /// Creates the description of a phone held upright.
    public init() {}

    var traits: UITraitCollection {
        var traits = UITraitCollection(userInterfaceStyle: isDark ? .dark : .light)
        traits.layoutDirection = isRightToLeft ? .rightToLeft : .leftToRight
        traits.accessibilityContrast = hasHighContrast ? .high : .normal
        let sizes = UIContentSizeCategory.ordered
        traits.preferredContentSizeCategory = sizes[min(max(textSize, 0), sizes.count - 1)]
        traits.horizontalSizeClass = width >= 700 ? .regular : .compact
        traits.verticalSizeClass = height >= 500 ? .regular : .compact
        traits.displayScale = min(max(scale, 1), 4)
        traits.preferredLanguages = [language]
        return traits
    }
}

extension BrowserEnvironment: Decodable {
    private enum CodingKeys: String, CodingKey {
        case width, height, scale, dark, contrast, rtl, text, language, top, bottom, keyboard, hidden
    }

    /// Decodes what the page reports; what is missing or absurd becomes the default.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func length(_ key: CodingKeys, _ range: ClosedRange<CGFloat>) -> CGFloat? {
            guard let value = try? fields.decode(CGFloat.self, forKey: key), value.isFinite else { return nil }
            return min(max(value, range.lowerBound), range.upperBound)
        }
        width = length(.width, 100...4_000) ?? width
        height = length(.height, 100...4_000) ?? height
        scale = length(.scale, 1...4) ?? scale
        isDark = (try? fields.decode(Bool.self, forKey: .dark)) ?? false
        hasHighContrast = (try? fields.decode(Bool.self, forKey: .contrast)) ?? false
        isRightToLeft = (try? fields.decode(Bool.self, forKey: .rtl)) ?? false
        textSize = (try? fields.decode(Int.self, forKey: .text)) ?? textSize
        language = (try? fields.decode(String.self, forKey: .language)).map { String($0.prefix(35)) } ?? language
        safeArea.top = length(.top, 0...200) ?? 0
        safeArea.bottom = length(.bottom, 0...200) ?? 0
        keyboardHeight = length(.keyboard, 0...2_000) ?? 0
        isHidden = (try? fields.decode(Bool.self, forKey: .hidden)) ?? false
    }
}
