// The values are those that the system documents for light and dark, and where the user wants more contrast.
extension UIColor {
    private static func system(
        _ light: RGBA,
        _ dark: RGBA,
        _ elevation: Elevation? = nil,
        high: (light: RGBA, dark: RGBA)? = nil
    ) -> UIColor {
        UIColor(
            Sides(light: light.color, dark: dark.color),
            high: high.map { Sides(light: $0.light.color, dark: $0.dark.color) },
            elevation: elevation
        )
    }

    private struct RGBA {
        let color: CGColor

        init(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat, _ alpha: CGFloat = 1) {
            color = CGColor(srgbRed: red / 255, green: green / 255, blue: blue / 255, alpha: alpha)
        }
    }

    /// The colour of text.
    public static let label = system(RGBA(0, 0, 0), RGBA(255, 255, 255))
    /// The colour of less important text.
    public static let secondaryLabel = system(
        RGBA(60, 60, 67, 0.6),
        RGBA(235, 235, 245, 0.6),
        high: (RGBA(60, 60, 67, 0.8), RGBA(235, 235, 245, 0.7))
    )
    /// The colour of unimportant text.
    public static let tertiaryLabel = system(
        RGBA(60, 60, 67, 0.3),
        RGBA(235, 235, 245, 0.3),
        high: (RGBA(60, 60, 67, 0.7), RGBA(235, 235, 245, 0.55))
    )
    /// The colour of the least important text.
    public static let quaternaryLabel = system(
        RGBA(60, 60, 67, 0.18),
        RGBA(235, 235, 245, 0.16),
        high: (RGBA(60, 60, 67, 0.55), RGBA(235, 235, 245, 0.4))
    )
    /// The fixed colour of text on light backgrounds.
    public static let darkText = system(RGBA(0, 0, 0), RGBA(0, 0, 0))
    /// The fixed colour of text on dark backgrounds.
    public static let lightText = system(RGBA(255, 255, 255, 0.6), RGBA(255, 255, 255, 0.6))
    /// The colour of text that stands for missing text.
    public static let placeholderText = system(RGBA(60, 60, 67, 0.3), RGBA(235, 235, 245, 0.3))
    /// The colour of links.
    public static let link = system(RGBA(0, 122, 255), RGBA(9, 132, 255))
    /// The colour of thin lines over content.
    public static let separator = system(RGBA(60, 60, 67, 0.29), RGBA(84, 84, 88, 0.6))
    /// The colour of thin lines that hide what is under them.
    public static let opaqueSeparator = system(RGBA(198, 198, 200), RGBA(56, 56, 58))
    /// The background of an interface.
    public static let systemBackground = system(RGBA(255, 255, 255), RGBA(0, 0, 0), .background)
    /// The background of content over the main background.
    public static let secondarySystemBackground = system(
        RGBA(242, 242, 247),
        RGBA(28, 28, 30),
        .content,
        high: (RGBA(235, 235, 240), RGBA(36, 36, 38))
    )
    /// The background of content over a secondary background.
    public static let tertiarySystemBackground = system(
        RGBA(255, 255, 255),
        RGBA(44, 44, 46),
        .deep,
        high: (RGBA(255, 255, 255), RGBA(54, 54, 56))
    )
    /// The background of grouped content.
    public static let systemGroupedBackground = system(
        RGBA(242, 242, 247),
        RGBA(0, 0, 0),
        .background,
        high: (RGBA(235, 235, 240), RGBA(0, 0, 0))
    )
    /// The background of content over a grouped background.
    public static let secondarySystemGroupedBackground = system(
        RGBA(255, 255, 255),
        RGBA(28, 28, 30),
        .content,
        high: (RGBA(255, 255, 255), RGBA(36, 36, 38))
    )
    /// The background of content over a secondary grouped background.
    public static let tertiarySystemGroupedBackground = system(
        RGBA(242, 242, 247),
        RGBA(44, 44, 46),
        .deep,
        high: (RGBA(235, 235, 240), RGBA(54, 54, 56))
    )
    /// The fill of shapes of medium size.
    public static let secondarySystemFill = system(RGBA(120, 120, 128, 0.16), RGBA(120, 120, 128, 0.32))
    /// The fill of thin and small shapes.
    public static let systemFill = system(RGBA(120, 120, 128, 0.2), RGBA(120, 120, 128, 0.36))
    /// The fill of large shapes.
    public static let tertiarySystemFill = system(RGBA(118, 118, 128, 0.12), RGBA(118, 118, 128, 0.24))
    /// The fill of large areas with complex content.
    public static let quaternarySystemFill = system(RGBA(116, 116, 128, 0.08), RGBA(118, 118, 128, 0.18))
    /// Blue.
    public static let systemBlue = system(
        RGBA(0, 122, 255),
        RGBA(10, 132, 255),
        high: (RGBA(0, 64, 221), RGBA(64, 156, 255))
    )
    /// Green.
    public static let systemGreen = system(
        RGBA(52, 199, 89),
        RGBA(48, 209, 88),
        high: (RGBA(36, 138, 61), RGBA(48, 219, 91))
    )
    /// Red.
    public static let systemRed = system(
        RGBA(255, 59, 48),
        RGBA(255, 69, 58),
        high: (RGBA(215, 0, 21), RGBA(255, 105, 97))
    )
    /// Orange.
    public static let systemOrange = system(
        RGBA(255, 149, 0),
        RGBA(255, 159, 10),
        high: (RGBA(201, 52, 0), RGBA(255, 179, 64))
    )
    /// Yellow.
    public static let systemYellow = system(
        RGBA(255, 204, 0),
        RGBA(255, 214, 10),
        high: (RGBA(178, 80, 0), RGBA(255, 212, 38))
    )
    /// Purple.
    public static let systemPurple = system(
        RGBA(175, 82, 222),
        RGBA(191, 90, 242),
        high: (RGBA(137, 68, 171), RGBA(218, 143, 255))
    )
    /// Teal.
    public static let systemTeal = system(
        RGBA(48, 176, 199),
        RGBA(64, 200, 224),
        high: (RGBA(0, 130, 153), RGBA(93, 230, 255))
    )
    /// Pink.
    public static let systemPink = system(
        RGBA(255, 45, 85),
        RGBA(255, 55, 95),
        high: (RGBA(211, 15, 69), RGBA(255, 100, 130))
    )
    /// Mint.
    public static let systemMint = system(
        RGBA(0, 199, 190),
        RGBA(99, 230, 226),
        high: (RGBA(12, 129, 123), RGBA(102, 212, 207))
    )
    /// Cyan.
    public static let systemCyan = system(
        RGBA(50, 173, 230),
        RGBA(100, 210, 255),
        high: (RGBA(0, 113, 164), RGBA(112, 215, 255))
    )
    /// Brown.
    public static let systemBrown = system(
        RGBA(162, 132, 94),
        RGBA(172, 142, 104),
        high: (RGBA(127, 101, 69), RGBA(181, 148, 105))
    )
    /// Indigo.
    public static let systemIndigo = system(
        RGBA(88, 86, 214),
        RGBA(94, 92, 230),
        high: (RGBA(54, 52, 163), RGBA(125, 122, 255))
    )
    /// Grey.
    public static let systemGray = system(
        RGBA(142, 142, 147),
        RGBA(142, 142, 147),
        high: (RGBA(108, 108, 112), RGBA(174, 174, 178))
    )
    /// A lighter grey, darker on dark.
    public static let systemGray2 = system(
        RGBA(174, 174, 178),
        RGBA(99, 99, 102),
        high: (RGBA(142, 142, 147), RGBA(124, 124, 128))
    )
    /// The third grey.
    public static let systemGray3 = system(
        RGBA(199, 199, 204),
        RGBA(72, 72, 74),
        high: (RGBA(174, 174, 178), RGBA(84, 84, 86))
    )
    /// The fourth grey.
    public static let systemGray4 = system(
        RGBA(209, 209, 214),
        RGBA(58, 58, 60),
        high: (RGBA(188, 188, 192), RGBA(68, 68, 70))
    )
    /// The fifth grey.
    public static let systemGray5 = system(
        RGBA(229, 229, 234),
        RGBA(44, 44, 46),
        high: (RGBA(216, 216, 220), RGBA(54, 54, 56))
    )
    /// The lightest grey, darkest on dark.
    public static let systemGray6 = system(
        RGBA(242, 242, 247),
        RGBA(28, 28, 30),
        high: (RGBA(235, 235, 240), RGBA(36, 36, 38))
    )
    /// The fixed colour black.
    public static let black = system(RGBA(0, 0, 0), RGBA(0, 0, 0))
    /// The fixed colour white.
    public static let white = system(RGBA(255, 255, 255), RGBA(255, 255, 255))
    /// The fixed colour red.
    public static let red = system(RGBA(255, 0, 0), RGBA(255, 0, 0))
    /// The fixed colour green.
    public static let green = system(RGBA(0, 255, 0), RGBA(0, 255, 0))
    /// The fixed colour blue.
    public static let blue = system(RGBA(0, 0, 255), RGBA(0, 0, 255))
    /// The fixed colour yellow.
    public static let yellow = system(RGBA(255, 255, 0), RGBA(255, 255, 0))
    /// The fixed colour orange.
    public static let orange = system(RGBA(255, 127.5, 0), RGBA(255, 127.5, 0))
    /// The fixed colour purple.
    public static let purple = system(RGBA(127.5, 0, 127.5), RGBA(127.5, 0, 127.5))
    /// The fixed colour brown.
    public static let brown = system(RGBA(153, 102, 51), RGBA(153, 102, 51))
    /// The fixed colour cyan.
    public static let cyan = system(RGBA(0, 255, 255), RGBA(0, 255, 255))
    /// The fixed colour magenta.
    public static let magenta = system(RGBA(255, 0, 255), RGBA(255, 0, 255))
    /// The fixed colour gray.
    public static let gray = system(RGBA(127.5, 127.5, 127.5), RGBA(127.5, 127.5, 127.5))
    /// The fixed colour lightGray.
    public static let lightGray = system(RGBA(170, 170, 170), RGBA(170, 170, 170))
    /// The fixed colour darkGray.
    public static let darkGray = system(RGBA(85, 85, 85), RGBA(85, 85, 85))
    /// The fixed colour clear.
    public static let clear = system(RGBA(0, 0, 0, 0), RGBA(0, 0, 0, 0))
    /// The colour that views take their tint from where nobody set one.
    // swift-format-ignore: DontRepeatTypeInStaticProperties, AllPublicDeclarationsHaveDocumentation
    public static let tintColor = UIColor(systemBlue.usual, high: systemBlue.high, isTint: true)
}
