import Foundation

/// Counts impressions on a screen: asks which cards are visible, reports those that count as seen, and asks again when
/// the next one is due.
///
/// The feed of `ContentCardsUI` uses it, its SwiftUI views do, and so can a screen of an app's own that shows cards:
///
/// ```swift
/// lazy var impressions = ImpressionObserver(
///     visible: { [weak self] in self?.visibleCards.map(\.id) ?? [] },
///     onImpression: { [client] id in client.logImpression(cardID: id) }
/// )
/// ```
/// Call ``beginPresentation()`` when the screen has appeared, ``update()`` when something has moved, and ``pause()``
/// when it has disappeared.
@preconcurrency @MainActor
public final class ImpressionObserver {
    private let clock: any ContentCardsClock
    private let visible: @MainActor () -> [String]
    private let onImpression: @MainActor (String) -> Void
    private var tracker = ImpressionTracker()
    private var next: Task<Void, Never>?
    /// Whether the screen is presented, and what is visible on it counts.
    public private(set) var isPresented = false

    /// Creates an observer of a screen that is not presented yet.
    ///
    /// - Parameters:
    ///   - clock: tells the time; only tests need another.
    ///   - visible: returns the ids of the cards of which enough is visible; see
    ///     ``ImpressionTracker/isVisible(_:isControl:in:)``.
    ///   - onImpression: is called with the id of each card that has just counted as seen.
    public init(
        clock: any ContentCardsClock = SystemClock(),
        visible: @escaping @MainActor () -> [String],
        onImpression: @escaping @MainActor (String) -> Void
    ) {
        self.clock = clock
        self.visible = visible
        self.onImpression = onImpression
    }

    deinit { next?.cancel() }

    /// The ids of the cards that have counted in this presentation.
    public var seen: Set<String> { tracker.seen }

    /// Begins a new presentation, in which each card counts again.
    public func beginPresentation() {
        tracker.beginPresentation()
        resume()
    }

    /// Continues a presentation that was paused.
    public func resume() {
        isPresented = true
        update()
    }

    /// Stops the time of all cards: the screen has disappeared, or is covered.
    public func pause() {
        isPresented = false
        next?.cancel()
        tracker.pause()
    }

    /// Takes that the user has touched a card, whose impression is reported at once unless it was before.
    ///
    /// Call it before a click is logged, which is no impression by itself.
    public func touch(_ id: String) {
        guard isPresented, tracker.touch(id) else { return }
        onImpression(id)
    }

    /// Takes what is visible now.
    ///
    /// Call it whenever the screen has scrolled, or shows other cards.
    public func update() {
        guard isPresented else { return }
        for id in tracker.update(visible: visible(), at: clock.uptime) { onImpression(id) }
        next?.cancel()
        guard let deadline = tracker.nextDeadline else { return }
        next = Task { [weak self, clock] in
            try? await clock.sleep(for: max(deadline - clock.uptime, 0))
            if !Task.isCancelled { self?.update() }
        }
    }
}
