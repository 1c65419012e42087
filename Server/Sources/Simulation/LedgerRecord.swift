/// One line of a ledger: what a simulated client is about to do, and what it knows to be done.
package enum LedgerRecord: Sendable, Equatable {
    /// The subject of a log call.
    package struct Intent: Sendable, Equatable {
        /// The event's id.
        package var id: String
        /// The user whose event it is.
        package var user: String
        /// `impression`, `click`, `dismissal` or `custom`.
        package var type: String
        /// The card, or `-`.
        package var card: String
        /// The card's campaign, or `-`.
        package var campaign: String
        /// The card's variant, or `-`.
        package var variant: String

        /// Creates an intent; a custom event has no card.
        package init(
            id: String,
            user: String,
            type: String,
            card: String = "-",
            campaign: String = "-",
            variant: String = "-"
        ) {
            self.id = id
            self.user = user
            self.type = type
            self.card = card
            self.campaign = campaign
            self.variant = variant
        }
    }

    /// A log call comes next.
    case intent(Intent)
    /// The log call with that id returned, and whether it logged.
    case done(id: String, isLogged: Bool)
    /// After a kill: the event of an unfinished call stands in the recovered queue, so it has to arrive.
    case recovered(id: String)
    /// The SDK gave an event of its own that id, such as the start of a session.
    case automatic(id: String)
    /// The SDK said that the server refused the event for good.
    case rejected(id: String, code: String)

    /// The line without its end.
    package var line: String {
        switch self {
        case .intent(let intent):
            ["I", intent.id, intent.user, intent.type, intent.card, intent.campaign, intent.variant].joined(
                separator: " "
            )
        case .done(let id, let isLogged): "D \(id) \(isLogged ? 1 : 0)"
        case .recovered(let id): "R \(id)"
        case .automatic(let id): "A \(id)"
        case .rejected(let id, let code): "X \(id) \(code)"
        }
    }

    /// Reads a line, or returns `nil` where it is none.
    package init?(_ line: Substring) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        switch (words.first, words.count) {
        case ("I", 7):
            self = .intent(
                Intent(
                    id: words[1],
                    user: words[2],
                    type: words[3],
                    card: words[4],
                    campaign: words[5],
                    variant: words[6]
                )
            )
        case ("D", 3): self = .done(id: words[1], isLogged: words[2] == "1")
        case ("R", 2): self = .recovered(id: words[1])
        case ("A", 2): self = .automatic(id: words[1])
        case ("X", 3): self = .rejected(id: words[1], code: words[2])
        default: return nil
        }
    }
}
