#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Holds what apps most often change about a feed.
///
/// Setting it on a controller applies it at once.
public struct ContentCardsAttributes: Sendable {
    /// The attributes of controllers that are given none.
    @preconcurrency @MainActor public static var defaults = ContentCardsAttributes()

    /// The colour behind the cards.
    ///
    /// The default is `systemGroupedBackground`.
    public var backgroundColor = UIColor.systemGroupedBackground
    /// Whether the user can pull for new cards.
    ///
    /// The default is `true`.
    public var pullToRefresh = true
    /// The number of seconds after which a pull ends even if nothing came; 15 by default.
    public var refreshTimeout: TimeInterval = 15
    /// Changes each delivered list: filters, sorts, edits.
    ///
    /// Choose by ``ContentCards/ContentCard/classType``, which control cards have, too, so that their impressions are
    /// logged where the card would have been. It runs on the main actor, so that it may read what the screen shows.
    public var transform: @MainActor @Sendable ([ContentCard]) -> [ContentCard] = { $0 }
    /// Said when there are no cards; `nil`, the default, says so in the user's language.
    public var emptyStateMessage: String?
    /// The look of cards.
    public var card = CardAttributes()

    /// Creates the default attributes.
    public init() {}
}

extension ContentCardsAttributes {
    /// Returns whether a feed looks the same with other attributes, as far as that can be compared: functions can't.
    func looksLike(_ other: Self) -> Bool {
        backgroundColor == other.backgroundColor && pullToRefresh == other.pullToRefresh
            && refreshTimeout == other.refreshTimeout && emptyStateMessage == other.emptyStateMessage
            && card == other.card
    }
}

/// Holds how a card looks.
///
/// Lengths are in points.
public struct CardAttributes: Equatable, Sendable {
    /// The room at each side of a card.
    ///
    /// The default is 10.
    public var sidePadding: CGFloat = 10
    /// The room between cards.
    ///
    /// The default is 20: 10 above and 10 below each.
    public var spacing: CGFloat = 20
    /// The room around the text.
    ///
    /// The default is 25.
    public var padding: CGFloat = 25
    /// The greatest width of a card.
    ///
    /// The default is 380.
    public var maxWidth: CGFloat = 380
    /// The background.
    ///
    /// The default is `secondarySystemGroupedBackground`: white, and in dark mode a grey that stands out from the feed.
    public var backgroundColor = UIColor.secondarySystemGroupedBackground
    /// The border's colour.
    ///
    /// The default is a light grey, darker on dark.
    public var borderColor = UIColor { traits in
        UIColor(white: (traits.userInterfaceStyle == .dark ? 85 : 224) / 255, alpha: 1)
    }
    /// The border's colour where the user wants more contrast.
    ///
    /// The default is a dark grey, lighter on dark.
    public var highContrastBorderColor = UIColor { traits in
        UIColor(white: (traits.userInterfaceStyle == .dark ? 170 : 96) / 255, alpha: 1)
    }
    /// The border's width.
    ///
    /// The default is 0.5.
    public var borderWidth: CGFloat = 0.5
    /// The radius of the corners.
    ///
    /// The default is 3.
    public var cornerRadius: CGFloat = 3
    /// The shadow's colour.
    ///
    /// The default is grey on light and black on dark, where grey would glow.
    public var shadowColor = UIColor { traits in
        UIColor(white: traits.userInterfaceStyle == .dark ? 0 : 178 / 255, alpha: 1)
    }
    /// The shadow's strength, from 0, for none, to 1.
    ///
    /// The default is 0.5.
    public var shadowOpacity: Float = 0.5
    /// The offset of the shadow.
    ///
    /// The default is 2 points down.
    public var shadowOffset = CGSize(width: 0, height: 2)
    /// The blur of the shadow.
    ///
    /// The default is 3.
    public var shadowRadius: CGFloat = 3
    /// The bar of unread cards; `nil`, the default, takes the tint.
    public var unreadColor: UIColor?
    /// The height of the bar of unread cards.
    ///
    /// The default is 8.
    public var unreadHeight: CGFloat = 8
    /// The pin's colour; `nil`, the default, takes the tint.
    public var pinColor: UIColor?
    /// The title's colour.
    ///
    /// The default is `label`.
    public var titleColor = UIColor.label
    /// The text's colour.
    ///
    /// The default is `label`.
    public var descriptionColor = UIColor.label
    /// The link's colour.
    ///
    /// The default is `link`.
    public var linkColor = UIColor.link
    /// The title's font.
    ///
    /// The default is callout, bold.
    public var titleFont = CardFont(style: .callout, size: 16, weight: .bold)
    /// The text's font.
    ///
    /// The default is footnote.
    public var descriptionFont = CardFont(style: .footnote, size: 13, weight: .regular)
    /// The link's font.
    ///
    /// The default is footnote, medium.
    public var linkFont = CardFont(style: .footnote, size: 13, weight: .medium)

    /// Creates the default look.
    public init() {}

    /// Returns the border's colour under traits.
    func border(under traits: UITraitCollection) -> UIColor {
        let color = traits.accessibilityContrast == .high ? highContrastBorderColor : borderColor
        return color.resolvedColor(with: traits)
    }
}

/// Names a font that follows the user's text size.
public struct CardFont: Equatable, Sendable {
    /// The style that it scales with.
    public var style: UIFont.TextStyle
    /// The size for the usual text size, in points.
    public var size: CGFloat
    /// The weight, where the font is that of the system.
    public var weight: UIFont.Weight
    /// The name of a font of the app or the device, which has its own weight; `nil`, the default, is the system's.
    ///
    /// Where there is no font of that name, it is the system's, too.
    public var name: String?

    /// Creates a font.
    public init(style: UIFont.TextStyle, size: CGFloat, weight: UIFont.Weight, name: String? = nil) {
        self.style = style
        self.size = size
        self.weight = weight
        self.name = name
    }

    /// The font in the user's text size.
    @preconcurrency @MainActor public var font: UIFont {
        let named = name.flatMap { UIFont(name: $0, size: size) }
        return UIFontMetrics(forTextStyle: style).scaledFont(for: named ?? .systemFont(ofSize: size, weight: weight))
    }
}
#endif
