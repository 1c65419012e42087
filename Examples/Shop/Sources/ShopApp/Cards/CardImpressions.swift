import ContentCards
import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Logs the impressions of a screen of our own, by the rule of the feed: half of it for 0.1 seconds, once a
/// presentation.
@MainActor
final class CardImpressions {
    private var visible: [String] = []
    private let cards: CardManager
    private let isInForeground: @MainActor () -> Bool
    /// Set by the initializer, and read by `deinit` alone.
    private nonisolated(unsafe) var activation: (any NSObjectProtocol)?
    private lazy var observer = ImpressionObserver(
        clock: cards.clock,
        visible: { [weak self] in self?.seen ?? [] },
        onImpression: { [cards] in cards.logImpression(cardID: $0) }
    )

    /// Creates what logs the impressions of a screen, which nobody sees while its app is in the background: a push may
    /// bring cards there.
    init(_ cards: CardManager, isInForeground: @escaping @MainActor () -> Bool = { true }) {
        self.cards = cards
        self.isInForeground = isInForeground
        let name = UIScene.didActivateNotification
        activation = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            // UIKit posts on the main thread.
            MainActor.assumeIsolated { self?.observer.update() }
        }
    }

    deinit {
        if let activation { NotificationCenter.default.removeObserver(activation) }
    }

    private var seen: [String] { isInForeground() ? visible : [] }

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
