#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI

/// Draws cards in SwiftUI.
///
/// A style decides how a ``ContentCardView`` looks. The view itself logs impressions, clicks and dismissals, whatever the
/// style shows, and a control card is never drawn.
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
@MainActor @preconcurrency
public protocol ContentCardStyle {
    /// What the style shows.
    associatedtype Body: View
    /// The card, and how it stands.
    typealias Configuration = ContentCardStyleConfiguration

    /// Returns the view of a card.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// Says what a style draws.
@MainActor
public struct ContentCardStyleConfiguration {
    /// Is the card as `ContentCardsUI` draws it by itself, for a style that adds to that.
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
        let entry = CardStyles.Entry(
            matches: condition,
            body: { AnyView(style.makeBody(configuration: $0)) }
        )
        return transformEnvironment(\.contentCardStyles) { $0.entries.append(entry) }
    }
}

/// Holds the styles of a view, the innermost last.
struct CardStyles: Sendable {
    struct Entry: Sendable {
        let matches: @MainActor @Sendable (ContentCard) -> Bool
        let body: @MainActor @Sendable (ContentCardStyleConfiguration) -> AnyView
    }

    var entries: [Entry] = []

    /// Returns the style of a card; `nil` where it is the default.
    @MainActor func style(of card: ContentCard) -> Entry? { entries.last { $0.matches(card) } }
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
