import ContentCards
import Foundation
import Terminal

/// The place of each card of a feed: lines one below the other, however many the terminal shows.
struct FeedLayout {
    /// The lines of one card.
    ///
    /// A control has none, only a place.
    struct Block {
        let card: ContentCard.ID
        let isControl: Bool
        let lines: Range<Int>
    }

    private(set) var lines: [ScreenLine] = []
    private(set) var blocks: [Block] = []

    init(_ cards: [ContentCard], columns: Int, now: Date) {
        for card in cards {
            let start = lines.count
            if card.isPresentable {
                lines += CardLines(card, columns: columns, now: now).lines
                lines.append(ScreenLine())
            } else if !card.isControl {
                continue
            }
            // The empty line between two cards belongs to neither.
            let end = card.isControl ? start : lines.count - 1
            // safe: lines are only added
            blocks.append(Block(card: card.id, isControl: card.isControl, lines: start..<end))
        }
    }
}

/// One card as lines.
struct CardLines {
    private static let margin = 4

    private let card: ContentCard
    private let columns: Int
    private let now: Date

    init(_ card: ContentCard, columns: Int, now: Date) {
        self.card = card
        self.columns = max(10, columns)
        self.now = now
    }

    var lines: [ScreenLine] {
        // safe: the size of a terminal
        let width = columns - Self.margin - 1
        let body = TextWrapping.lines(of: card.description.printable, columns: width).map { line in
            ScreenLine("    " + line, card: card.id)
        }
        let details = TextWrapping.lines(of: details, columns: width).map { line in
            ScreenLine("    " + line, .dim, card: card.id)
        }
        return [titleLine] + body + details
    }

    private var titleLine: ScreenLine {
        let tags = [card.isPinned ? "pinned" : nil, card.isTest ? "test" : nil, card.isClicked ? "clicked" : nil]
        let tail = tags.compactMap(\.self).joined(separator: " · ")
        // safe: the size of a terminal
        let room = columns - Self.margin - 1 - (tail.isEmpty ? 0 : tail.count + 2)
        let title = headline.truncated(toColumns: room).padded(toColumns: room)
        let line = "  \(card.isViewed ? " " : "●") \(title)\(tail.isEmpty ? "" : "  " + tail)"
        return ScreenLine(line, card.isViewed ? .title : .unreadTitle, card: card.id)
    }

    private var headline: String {
        let texts = [card.title, card.imageAlt ?? "", "(\(card.kind.wireName))"]
        return (texts.first { !$0.isEmpty } ?? "").printableLine
    }

    private var details: String {
        var parts: [String] = []
        if let link = [card.domain, card.urlString].compactMap(\.self).first(where: { !$0.isEmpty }) {
            parts.append("→ \(link)")
        }
        if let type = card.extras["class_type"] { parts.append(type) }
        if card.image != nil { parts.append(card.kind.wireName.replacing("_", with: " ")) }
        if let expiry = card.expiresAt { parts.append("leaves in \(Countdown.text(expiry.timeIntervalSince(now)))") }
        if !card.isDismissible { parts.append("stays") }
        return parts.joined(separator: " · ").printableLine
    }
}
