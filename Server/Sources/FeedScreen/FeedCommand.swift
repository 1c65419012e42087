import ContentCards

/// A command of a program that drives the feed, one a line.
package enum FeedCommand: Equatable, Sendable {
    case view(Target)
    case click(Target)
    case dismiss(Target)
    case refresh
    case quit

    /// The card that is meant: its place among those that are drawn, from 1, or its ID, which a control has too.
    package enum Target: Equatable, Sendable {
        case place(Int)
        case id(String)

        /// The card, or `nil` where there is none.
        package func card(in feed: CardFeed) -> ContentCard? {
            switch self {
            case .place(let place):
                // safe: a place that there is
                place > 0 && place <= feed.presentableCards.count ? feed.presentableCards[place - 1] : nil
            case .id(let id): feed.card(id: id)
            }
        }
    }

    /// Reads a line, or returns `nil` where it is no command.
    package init?(_ line: String) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        switch (words.first, words.count) {
        case ("refresh", 1): self = .refresh
        case ("quit", 1): self = .quit
        case ("view", 2): self = .view(Target(words[1]))
        case ("click", 2): self = .click(Target(words[1]))
        case ("dismiss", 2): self = .dismiss(Target(words[1]))
        default: return nil
        }
    }
}

extension FeedCommand.Target {
    fileprivate init(_ word: String) {
        self = Int(word).map(FeedCommand.Target.place) ?? .id(word)
    }
}
