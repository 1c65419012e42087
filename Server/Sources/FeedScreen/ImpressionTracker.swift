import ContentCards
import Foundation

/// Decides when a card has been seen: half of it on screen for a tenth of a second, once while the feed is open.
package struct ImpressionTracker: Equatable {
    /// How long a card has to be on screen, in seconds.
    package static let dwell = 0.1

    private var since: [ContentCard.ID: Double] = [:]
    private var seen: Set<ContentCard.ID> = []

    /// Makes a tracker for one presentation of a feed.
    package init() {}

    /// Takes what is on screen at a moment, in seconds that never go back, and returns the cards that were just seen.
    package mutating func update(_ visible: Set<ContentCard.ID>, at time: Double) -> [ContentCard.ID] {
        since = since.filter { visible.contains($0.key) }
        for card in visible.subtracting(seen) where since[card] == nil { since[card] = time }
        let due = since.filter { time - $0.value >= Self.dwell && !seen.contains($0.key) }.map(\.key).sorted()
        seen.formUnion(due)
        return due
    }

    /// Whether a card is on screen that has not been there long enough.
    package var isWaiting: Bool { since.contains { !seen.contains($0.key) } }
}
