#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI

/// Draws cards in SwiftUI.
///
/// A style decides how a ``ContentCardView`` looks. The view itself logs impressions, clicks and dismissals, whatever
/// the style shows, and a control card is never drawn.
///
/// ```swift
/// struct TileStyle: ContentCardStyle {
///     func makeBody(configuration: Configuration) -> some View {
///         VStack(alignment: .leading) {
///             AsyncImage(url: configuration.card.imageURL) { $0.resizable() } placeholder: { Color.clear }
///             Text(configuration.card.title).bold()
///         }
///     }
/// }
///
/// List(feed.cards) { ContentCardView($0) }
///     .contentCardStyle(TileStyle(), for: .captionedImage)
/// ```
/// A style is for the cards of ``ContentCardsView``, too: in its list a style has the whole width of a row, and other
/// cards look as they do without it. There, from iOS 16 on, a row follows what a style draws when that changes its
/// height.
@MainActor @preconcurrency
public protocol ContentCardStyle {
    /// The view that the style shows.
    associatedtype Body: View
    /// The card, and how it stands.
    typealias Configuration = ContentCardStyleConfiguration

    /// Returns the view of a card.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// Says what a style draws.
@MainActor
public struct ContentCardStyleConfiguration {
    /// The card as `ContentCardsUI` draws it by itself, for a style that adds to that.
    public struct Content: View {
        let card: ContentCard
        let attributes: CardAttributes

        /// The cell of the card.
        public var body: some View { CardCellView(card: card, attributes: attributes) }
    }

    /// The card.
    public let card: ContentCard
    /// Whether the card is marked as unread: until the user has seen it and it has left the screen.
    public let isUnread: Bool
    /// The card in the look of `ContentCardsUI`.
    public let content: Content

    /// Creates what a style draws: the card, and as the user is to see it, with the mark of unread cards.
    init(card: ContentCard, shown: ContentCard, attributes: CardAttributes) {
        self.card = card
        isUnread = !shown.isViewed
        content = Content(card: shown, attributes: attributes)
    }
}

/// Draws a card as the feed of `ContentCardsUI` does.
public struct DefaultContentCardStyle: ContentCardStyle {
    /// Creates the style.
    public init() {}

    /// Returns the card in the look of `ContentCardsUI`.
    public func makeBody(configuration: Configuration) -> some View { configuration.content }
}

extension ContentCardStyle where Self == DefaultContentCardStyle {
    /// The look of `ContentCardsUI`.
    public static var standard: DefaultContentCardStyle { DefaultContentCardStyle() }
}

extension View {
    /// Draws the cards in this view in a style.
    ///
    /// Of several styles for a card the innermost counts.
    /// - Parameters:
    ///   - style: the style.
    ///   - kinds: the types of card that it is for; without any, it is for all.
    /// - Returns: the view, whose cards have the style.
    public func contentCardStyle<Style: ContentCardStyle>(
        _ style: Style,
        for kinds: ContentCard.Kind...
    ) -> some View {
        contentCardStyle(style, where: { kinds.isEmpty || kinds.contains($0.kind) })
    }

    /// Draws those cards in this view in a style that a condition holds for, such as one of an app's own types.
    ///
    /// - Parameters:
    ///   - style: the style.
    ///   - condition: returns whether the style is for a card.
    /// - Returns: the view, in which those cards have the style.
    public func contentCardStyle<Style: ContentCardStyle>(
        _ style: Style,
        where condition: @escaping @MainActor (ContentCard) -> Bool
    ) -> some View {
        cards { card, _ in
            guard condition(card) else { return nil }
            return { configuration in AnyView(style.makeBody(configuration: configuration)) }
        }
    }

    /// Draws the cards of some class types in this view in a style.
    ///
    /// - Parameters:
    ///   - style: the style.
    ///   - classType: a class type that the style is for.
    ///   - others: further ones.
    /// - Returns: the view, in which those cards have the style.
    public func contentCardStyle<Style: ContentCardStyle>(
        _ style: Style,
        forClassType classType: ContentCardClassType,
        _ others: ContentCardClassType...
    ) -> some View {
        contentCardStyle(style, where: { $0.classType == classType || others.contains($0.classType) })
    }

    /// Draws the cards of a type of the app's own in this view.
    ///
    /// A card that does not decode keeps the look that it has without this, and is reported as `CardFeed.objects(_:)`
    /// does.
    ///
    /// ```swift
    /// ContentCardsView(source: cards).contentCardStyle(for: Coupon.self) { coupon, configuration in
    ///     CouponTile(code: coupon.couponCode, isNew: configuration.isUnread)
    /// }
    /// ```
    /// - Parameters:
    ///   - type: the type; its class type says which cards.
    ///   - content: returns the view of a card.
    /// - Returns: the view, in which those cards look so.
    public func contentCardStyle<Object: CardContent, Content: View>(
        for type: Object.Type,
        @ViewBuilder content: @escaping @MainActor (Object, ContentCardStyleConfiguration) -> Content
    ) -> some View {
        cards { card, feed in
            guard card.classType == Object.classType else { return nil }
            guard let object = (feed ?? CardFeed(cards: [])).content(type, of: card) else { return nil }
            return { configuration in AnyView(content(object, configuration)) }
        }
    }

    private func cards(drawnBy style: @escaping CardStyles.Style) -> some View {
        transformEnvironment(\.contentCardStyles) { $0.styles.append(style) }
    }
}

/// Holds the styles of a view, the innermost last.
struct CardStyles: Sendable {
    /// Draws a card.
    typealias Drawing = @MainActor (ContentCardStyleConfiguration) -> AnyView
    /// Returns how a card of a feed is drawn; `nil` where the style isn't for it.
    typealias Style = @MainActor @Sendable (ContentCard, CardFeed?) -> Drawing?

    var styles: [Style] = []

    /// Returns how a card is drawn; `nil` where that is the default.
    @MainActor func drawing(of card: ContentCard, in feed: CardFeed?) -> Drawing? {
        for style in styles.reversed() {
            if let drawing = style(card, feed) { return drawing }
        }
        return nil
    }
}

extension EnvironmentValues {
    private struct StylesKey: EnvironmentKey {
        static let defaultValue = CardStyles()
    }

    var contentCardStyles: CardStyles {
        get { self[StylesKey.self] }
        set { self[StylesKey.self] = newValue }
    }
}
#endif
