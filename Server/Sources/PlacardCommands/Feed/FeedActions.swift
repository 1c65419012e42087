import ContentCards
import FeedScreen

/// Does to a card what a key or a command says, and says what became of it.
struct FeedActions: Sendable {
    /// The result of an action.
    struct Outcome: Sendable {
        var card: String
        var isLogged: Bool
        var text: String
    }

    let cards: ContentCardsClient

    func view(_ card: ContentCard) -> Outcome {
        let isLogged = cards.logImpression(card)
        return Outcome(card: card.id, isLogged: isLogged, text: isLogged ? "Viewed." : "Not counted.")
    }

    func click(_ card: ContentCard) -> Outcome {
        let isLogged = cards.logClick(card)
        return Outcome(
            card: card.id,
            isLogged: isLogged,
            text: isLogged ? "Clicked: \(card.urlString ?? "")" : "Not counted: the card has no link."
        )
    }

    func dismiss(_ card: ContentCard) -> Outcome {
        let isLogged = cards.logDismissal(card)
        return Outcome(
            card: card.id,
            isLogged: isLogged,
            text: isLogged ? "Dismissed." : "This card cannot be dismissed."
        )
    }

    /// Asks the server what is new.
    func refresh() async -> String {
        do {
            try await cards.refresh(.pulled)
            return "Refreshed."
        } catch {
            let wait = error.retryAfter.map { " Try again in \(Int(exactly: $0.rounded(.up)) ?? .max) s." } ?? ""
            return "\(error.message)\(wait)"
        }
    }
}
