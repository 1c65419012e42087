import ContentCardsUI
import Foundation

/// Logs the impressions of a screen of our own, by the rule of the feed: half of it for 0.1 seconds, once a presentation.
@MainActor
final class CardImpressions {
    private let cards: CardManager
    private var tracker = ImpressionTracker()
    private var visible: [String] = []
    private var isOnScreen = false
    private var next: Task<Void, Never>?

    init(_ cards: CardManager) {
        self.cards = cards
    }

    deinit {
        next?.cancel()
    }

    /// Begins a presentation: the screen has appeared.
    func begin() {
        isOnScreen = true
        tracker.beginPresentation()
        look()
    }

    /// Ends it: the screen has disappeared.
    func end() {
        isOnScreen = false
        next?.cancel()
        tracker.pause()
    }

    /// Takes what is on screen now; what has no card behind it does not count.
    func update(visible objects: [any ContentCardable]) {
        visible = objects.compactMap { $0.contentCardData?.contentCardId }
        look()
    }

    private func look() {
        guard isOnScreen else { return }
        for id in tracker.update(visible: visible, at: cards.clock.uptime) { cards.logImpression(cardID: id) }
        next?.cancel()
        guard let deadline = tracker.nextDeadline else { return }
        next = Task { [weak self, clock = cards.clock] in
            try? await clock.sleep(for: max(deadline - clock.uptime, 0))
            if !Task.isCancelled { self?.look() }
        }
    }
}
