import ContentCards

/// Logs the impressions of a screen of our own, by the rule of the feed: half of it for 0.1 seconds, once a
/// presentation.
@MainActor
final class CardImpressions {
    private var visible: [String] = []
    private let cards: CardManager
    private lazy var observer = ImpressionObserver(
        clock: cards.clock,
        visible: { [weak self] in self?.visible ?? [] },
        onImpression: { [cards] in cards.logImpression(cardID: $0) }
    )

    init(_ cards: CardManager) {
        self.cards = cards
    }

    /// Begins a presentation: the screen has appeared.
    ///
    /// UIKit says so again, without an end before it, when a gesture that would have left the screen is let go.
    func begin() {
        guard !observer.isPresented else { return }
        observer.beginPresentation()
    }

    /// Ends it: the screen has disappeared.
    func end() {
        observer.pause()
    }

    /// Takes what is on screen now; what has no card behind it does not count.
    func update(visible objects: [any ContentCardable]) {
        visible = objects.compactMap { $0.contentCardData?.contentCardId }
        observer.update()
    }
}
