import Foundation

/// Decides when a card counts as seen: at least half of it was on screen for 0.1 seconds, once per presentation.
///
/// It is told which cards are visible, and when; it neither measures nor waits. ``ImpressionObserver`` does both for a
/// screen.
public struct ImpressionTracker: Sendable {
    /// The number of seconds for which a card must be visible: 0.1.
    public static let minimumTime: TimeInterval = 0.1

    private var visibleSince: [BytewiseText: TimeInterval] = [:]
    /// The ids of the cards that have counted in this presentation.
    public var seen: Set<String> { Set(counted.map(\.text)) }
    private var counted: Set<BytewiseText> = []

    /// Creates a tracker at the beginning of a presentation.
    public init() {}

    /// Takes the ids of the cards that are visible now, and returns those that have just counted as seen.
    ///
    /// - Parameters:
    ///   - visible: the ids of all cards of which enough is on screen; see ``isVisible(_:isControl:in:)``.
    ///   - time: seconds of a clock that never goes back.
    /// - Returns: the ids whose impressions are to be logged now, in the order given.
    public mutating func update(visible: [String], at time: TimeInterval) -> [String] {
        let current = Set(visible.map(BytewiseText.init(_:)))
        visibleSince = visibleSince.filter { current.contains($0.key) }
        for id in current where visibleSince[id] == nil { visibleSince[id] = time }
        return visible.filter { id in
            let id = BytewiseText(id)
            guard let since = visibleSince[id], time - since >= Self.minimumTime - 0.000_1 else { return false }
            // A card that is in two places of a screen is one card.
            return counted.insert(id).inserted
        }
    }

    /// Counts a card that the user has touched, however short it has been on screen: nobody clicks what they haven't
    /// seen.
    ///
    /// - Returns: whether it had not counted before in this presentation, so that its impression is to be logged now.
    public mutating func touch(_ id: String) -> Bool {
        counted.insert(BytewiseText(id)).inserted
    }

    /// The time at which to ask again if nothing moves in the meantime, on the clock of ``update(visible:at:)``; `nil`
    /// when no visible card is left to count.
    public var nextDeadline: TimeInterval? {
        visibleSince.filter { !counted.contains($0.key) }.map { $0.value + Self.minimumTime }.min()
    }

    /// Stops the time of all cards: the feed has left the screen.
    public mutating func pause() {
        visibleSince = [:]
    }

    /// Begins a new presentation, in which each card counts again.
    public mutating func beginPresentation() {
        visibleSince = [:]
        counted = []
    }

    /// Returns whether enough of a card is visible: half of its area, or of the window for one that is larger; for a
    /// control card, any part of its slot.
    public static func isVisible(_ card: CGRect, isControl: Bool, in window: CGRect) -> Bool {
        isVisible(card, isControl: isControl, part: card.intersection(window), in: window)
    }

    /// Returns whether enough of a card is visible, of which only a part is neither cut off nor outside the window.
    package static func isVisible(_ card: CGRect, isControl: Bool, part: CGRect, in window: CGRect) -> Bool {
        guard !part.isNull, part.width > 0, part.height > 0 else { return false }
        if isControl { return true }
        // safe: points have a fraction
        let whole = min(card.width * card.height, window.width * window.height)
        // safe: points have a fraction
        return part.width * part.height >= whole / 2
    }
}
