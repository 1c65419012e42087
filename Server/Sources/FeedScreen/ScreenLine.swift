import ContentCards

/// One line of the screen: its text, how it looks, and which card it belongs to.
package struct ScreenLine: Equatable {
    /// The style of a line.
    package enum Style: Equatable, Sendable {
        case plain
        case dim
        case title
        case unreadTitle
        case bar
    }

    /// The text, without any control character.
    package var text: String
    /// The style of the line.
    package var style: Style
    /// Whether it belongs to the card that keys act on.
    package var isSelected = false
    let card: ContentCard.ID?

    init(_ text: String = "", _ style: Style = .plain, card: ContentCard.ID? = nil) {
        self.text = text
        self.style = style
        self.card = card
    }

    /// The text with the sequences that make a terminal show its style.
    package var sequence: String {
        let codes =
            switch style {
            case .plain: ""
            case .dim: "\u{1B}[2m"
            case .title: "\u{1B}[1m"
            case .unreadTitle: "\u{1B}[1;36m"
            case .bar: "\u{1B}[7m"
            }
        return isSelected ? "\u{1B}[0;35m▌\u{1B}[0m\(codes)\(text.dropFirst())\u{1B}[0m" : "\(codes)\(text)\u{1B}[0m"
    }
}

/// Writes a screen, and after the first time only the lines that are different.
package struct ScreenPainter {
    private var shown: [ScreenLine] = []

    /// Creates a painter that has shown nothing in the terminal yet.
    package init() {}

    /// Forgets what the terminal shows, as after its size has changed.
    package mutating func forget() { shown = [] }

    /// Returns the text to write so that the terminal shows those lines.
    package mutating func paint(_ lines: [ScreenLine]) -> String {
        var output = shown.isEmpty ? "\u{1B}[2J" : ""
        for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
            output += "\u{1B}[\(row + 1);1H\(line.sequence)\u{1B}[K"
        }
        shown = lines
        return output
    }
}
