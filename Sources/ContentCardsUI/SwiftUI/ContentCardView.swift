#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Shows one card in SwiftUI, as high as it needs to be for the width that it is given.
///
/// An impression is logged when half of the card has been on screen for 0.1 seconds, or when it is tapped before, each
/// time the view comes into its window. A tap is logged and opens the card's address, a page inside the app where the
/// card says so. VoiceOver and, in a list, a swipe delete a card that may be dismissed. A control card takes one pixel,
/// and its impression is logged when that is on screen.
///
/// What it looks like is up to the ``ContentCardStyle`` of the views around it.
@MainActor
public struct ContentCardView: View {
    private let card: ContentCard
    private let ownSource: (any CardFeedSource)?
    private let attributes: CardAttributes
    private let shouldOpen: @MainActor (URL) -> Bool
    @State private var marks = UnreadMarks()
    @State private var watched = WatchedCard()
    @Environment(\.contentCards) private var environmentSource
    @Environment(\.contentCardStyles) private var styles
    @Environment(\.cardViewSettings) private var settings
    @Environment(\.openURL) private var openURL
    @Environment(\.displayScale) private var displayScale

    /// Creates a view of a card.
    ///
    /// - Parameters:
    ///   - card: the card.
    ///   - source: logs what happens, as a rule a `ContentCardsClient`; by default that of the environment, see
    ///     `contentCards(_:)`.
    ///   - attributes: how it looks where no style is set.
    ///   - shouldOpen: returns whether a tapped address should be opened; `false` where the app does. For all cards of
    ///     a view there is `onContentCardTap(perform:)`.
    public init(
        _ card: ContentCard,
        source: (any CardFeedSource)? = nil,
        attributes: CardAttributes? = nil,
        shouldOpen: @escaping @MainActor (URL) -> Bool = { _ in true }
    ) {
        self.card = card
        ownSource = source
        self.attributes = attributes ?? ContentCardsAttributes.defaults.card
        self.shouldOpen = shouldOpen
    }

    /// The card, and what happens to it.
    public var body: some View {
        // Another user may have a card with the same id, which they have to see for themselves.
        watchedCard.id(source?.feed.userID.map(BytewiseText.init(_:)))
    }

    @ViewBuilder private var watchedCard: some View {
        if card.isPresentable {
            styledCard
                .onTapGesture(perform: open)
                .onDisappear { marks.left(card.id) }
                .modifier(SwipeToDelete(perform: isDeletable ? dismiss : nil))
        } else {
            CardSlotView(card: card, watched: watched, onSeen: logImpression).frame(height: 1 / max(displayScale, 1))
        }
    }

    @ViewBuilder private var styledCard: some View {
        if let drawing = styles.drawing(of: card, in: source?.feed) {
            drawing(configuration)
                .background { CardSlotView(card: card, watched: watched, onSeen: logImpression) }
                .modifier(
                    StyledCardTraits(card: card, onDelete: isDeletable ? dismiss : nil, isActionable: isActionable)
                )
        } else {
            CardCellView(
                card: shownCard,
                attributes: attributes,
                watched: watched,
                onSeen: logImpression,
                onDelete: source == nil ? nil : dismiss
            )
            .contentShape(CardOutline(attributes: attributes))
        }
    }

    private var isActionable: Bool { CardDestination(of: card).isActionable(asksApp: settings.tap != nil) }

    private var isDeletable: Bool { source != nil && card.isDismissible }

    private var source: (any CardFeedSource)? { ownSource ?? environmentSource }

    /// The card with the mark of unread cards as the user is to see it.
    private var shownCard: ContentCard {
        var shown = card
        shown.isViewed = marks.looksViewed(card.id, isViewed: card.isViewed)
        return shown
    }

    private var configuration: ContentCardStyleConfiguration {
        ContentCardStyleConfiguration(card: card, shown: shownCard, attributes: attributes)
    }

    private func logImpression() {
        marks.saw(card.id, wasViewed: card.isViewed, isControl: card.isControl)
        _ = source?.logImpression(card)
    }

    private func dismiss() {
        _ = source?.logDismissal(card)
    }

    private func open() {
        let tap = CardTap(
            card: card,
            source: source,
            isTaken: settings.tap,
            shouldOpen: shouldOpen,
            countImpression: watched.touch
        )
        let destination = tap.perform()
        if isActionable { marks.left(card.id) }
        switch destination {
        case .nowhere, .refused: return
        case .webView(let url):
            if !watched.show(ContentCardsWebViewController(url: url)) { openURL(url) }
        case .system(let url): openURL(url)
        }
    }
}

/// The part of a view that takes taps on its card.
private struct CardOutline: Shape {
    let attributes: CardAttributes

    nonisolated func path(in rect: CGRect) -> Path {
        let card = CardFrame(
            in: rect,
            sidePadding: attributes.sidePadding,
            spacing: attributes.spacing,
            maxWidth: attributes.maxWidth
        )
        return Path(card.rect)
    }
}

/// Stands where a card would be that nobody is to see, and behind one that a style draws.
private struct CardSlotView: UIViewRepresentable {
    let card: ContentCard
    let watched: WatchedCard
    let onSeen: @MainActor () -> Void

    func makeUIView(context: Context) -> WatchedView { WatchedView() }

    func updateUIView(_ view: WatchedView, context: Context) {
        view.watch(card, as: watched, onSeen: onSeen)
    }
}
#endif
