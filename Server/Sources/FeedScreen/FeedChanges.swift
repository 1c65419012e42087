import ContentCards
import Terminal

/// The differences between two states of a feed, as lines for a log.
package enum FeedChanges {
    /// A line for each card that came (`+`), changed (`~`) or left (`-`), in the feed's order.
    package static func lines(from old: [ContentCard], to new: [ContentCard]) -> [String] {
        let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let kept = Set(new.map(\.id))
        let gone = old.filter { !kept.contains($0.id) }.map { "- \(description(of: $0))" }
        let shown = new.compactMap { card -> String? in
            guard let before = known[card.id] else { return "+ \(description(of: card))" }
            return before == card ? nil : "~ \(description(of: card))"
        }
        return gone + shown
    }

    private static func description(of card: ContentCard) -> String {
        let marks = [
            card.isPinned ? "pinned" : nil, card.isViewed ? "viewed" : "unread", card.isClicked ? "clicked" : nil,
        ]
        let text = [card.title, card.description].filter { !$0.isEmpty }.joined(separator: ": ")
        let parts = [card.id, card.kind.wireName, marks.compactMap(\.self).joined(separator: ","), text]
        return parts.joined(separator: " ").printableLine
    }
}
