import ContentCards
import Foundation
import Terminal

/// The screen on which a terminal shows a user's feed: a value that takes what happens and says what the lines are.
package struct FeedScreen: Equatable {
    /// The lines above the cards.
    static let headerHeight = 2
    /// The lines below the cards.
    static let footerHeight = 2

    private static let messageSeconds = 5.0

    private var messageEnd = Date.distantFuture
    /// The user whose feed it is.
    package let user: String
    /// The cards in the feed's order, controls included.
    package private(set) var cards: [ContentCard] = []
    /// The time at which the server last answered.
    package var lastSync: Date?
    /// Whether the server tells of changes.
    package var connection = FeedConnection.connecting
    /// The message that says what the last key did; gone after a few seconds.
    package var message = "" {
        didSet { messageEnd = now.addingTimeInterval(Self.messageSeconds) }
    }
    /// The size of the terminal.
    package private(set) var size: TerminalSize
    /// The present time, for what leaves by itself.
    package var now: Date {
        didSet { if now >= messageEnd, !message.isEmpty { message = "" } }
    }
    /// The card that keys act on; always one that is drawn.
    package private(set) var selection: ContentCard.ID?
    /// The first line of the cards that is on screen.
    package private(set) var top = 0

    /// Creates an empty screen.
    package init(user: String, size: TerminalSize, now: Date) {
        self.user = user
        self.size = size
        self.now = now
    }

    /// The cards that are drawn.
    package var drawnCards: [ContentCard] { cards.filter(\.isPresentable) }

    /// The card that keys act on.
    package var selectedCard: ContentCard? { cards.first { $0.id == selection } }

    // safe: the size of a terminal
    /// The number of lines of the cards.
    var bodyHeight: Int { max(0, size.rows - Self.headerHeight - Self.footerHeight) }

    var layout: FeedLayout { FeedLayout(cards, columns: size.columns, now: now) }
}

extension FeedScreen {
    /// Shows another state of the feed.
    ///
    /// The selection stays with its card, or else with its place.
    package mutating func show(_ feed: CardFeed) {
        let place = drawnCards.firstIndex { $0.id == selection }
        cards = feed.cards
        lastSync = feed.lastSync
        let drawn = drawnCards
        if !drawn.contains(where: { $0.id == selection }) {
            selection = place.flatMap { drawn.isEmpty ? nil : drawn[min($0, drawn.count - 1)].id } ?? drawn.first?.id
        }
        scrollToSelection()
    }

    /// Takes another size of the terminal.
    package mutating func resize(to size: TerminalSize) {
        self.size = size
        scrollToSelection()
    }

    /// Selects the card that many places further, or the first or last one.
    package mutating func moveSelection(by step: Int) {
        let drawn = drawnCards
        guard !drawn.isEmpty else { return }
        let place = drawn.firstIndex { $0.id == selection } ?? 0
        selection = drawn[min(max(0, place + step), drawn.count - 1)].id
        scrollToSelection()
    }

    private mutating func scrollToSelection() {
        let layout = layout
        if let block = layout.blocks.first(where: { $0.card == selection && !$0.isControl }) {
            // Of a card that does not fit, its beginning is shown.
            // safe: lines of the layout
            top = max(top, block.lines.upperBound - bodyHeight)
            top = min(top, block.lines.lowerBound)
        }
        // safe: lines of the layout
        top = max(0, min(top, layout.lines.count - bodyHeight))
    }

    /// The cards of which at least half is on screen, and the controls whose place is.
    package var visibleCards: Set<ContentCard.ID> {
        // safe: lines of the layout
        let window = top..<(top + bodyHeight)
        return Set(
            layout.blocks.filter { block in
                if block.isControl { return window.contains(block.lines.lowerBound) }
                return 2 * block.lines.clamped(to: window).count >= block.lines.count
            }.map(\.card)
        )
    }
}

/// Whether the server tells of changes.
package enum FeedConnection: Equatable, Sendable {
    /// Not yet.
    case connecting
    /// At once.
    case live
    /// The server does not answer; what is stored is shown.
    case offline
    /// The server refuses.
    case refused(status: Int)

    /// A word or two for people and programs.
    package var text: String {
        switch self {
        case .connecting: "connecting"
        case .live: "live"
        case .offline: "offline"
        case .refused(let status): "refused (\(status))"
        }
    }
}
