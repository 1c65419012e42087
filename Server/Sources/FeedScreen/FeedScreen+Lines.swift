import ContentCards
import Foundation
import Terminal

extension FeedScreen {
    private static let keys = "↑↓ select · Enter click · v view · d dismiss · r refresh · q quit"

    // safe: the size of a terminal
    /// The lines that the terminal shows: as many as it has.
    package var lines: [ScreenLine] {
        let layout = layout
        var body = Array(layout.lines.dropFirst(top).prefix(bodyHeight))
        if layout.lines.isEmpty, bodyHeight > 0 {
            body = [ScreenLine(emptyText.truncated(toColumns: size.columns), .dim)]
        }
        // The marks of a card may take more than there is.
        for index in body.indices { body[index].text = body[index].text.truncated(toColumns: size.columns) }
        body += Array(repeating: ScreenLine(), count: max(0, bodyHeight - body.count))
        for index in body.indices where body[index].card != nil && body[index].card == selection {
            body[index].isSelected = true
        }
        return Array(([header, ScreenLine()] + body + [status, footer]).prefix(size.rows))
    }

    private var emptyText: String {
        lastSync == nil ? "  Nothing is known of this user yet." : "  There are no cards for this user."
    }

    // safe: the size of a terminal
    private var header: ScreenLine {
        let drawn = drawnCards
        let unread = drawn.count { !$0.isViewed }
        let cards = drawn.count == 1 ? "1 card" : "\(drawn.count) cards"
        let left = " Placard · \(user.printableLine) · \(cards), \(unread) unread"
        let room = size.columns - connection.text.count - 2
        let text = left.truncated(toColumns: room).padded(toColumns: room) + " \(connection.text) "
        return ScreenLine(text.truncated(toColumns: size.columns), .bar)
    }

    /// The line that says what the last key did, or names the controls, which nobody sees.
    private var status: ScreenLine {
        let controls = cards.filter(\.isControl)
        let names = controls.map { $0.campaignID ?? $0.id }.joined(separator: ", ")
        let text = message.isEmpty && !controls.isEmpty ? "control: \(names)" : message
        return ScreenLine(" \(text.printableLine)".truncated(toColumns: size.columns), .dim)
    }

    private var footer: ScreenLine {
        // safe: a line of the layout
        let place = layout.lines.count > bodyHeight ? " · line \(top + 1) of \(layout.lines.count)" : ""
        let text = " \(Self.keys)\(place)"
        return ScreenLine(text.truncated(toColumns: size.columns).padded(toColumns: size.columns), .bar)
    }
}
