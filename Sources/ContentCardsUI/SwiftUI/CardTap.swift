import ContentCards
import Foundation

/// Logs a tap on a card in SwiftUI, and says where it leads.
@MainActor
struct CardTap {
    let card: ContentCard
    let source: (any CardFeedSource)?
    /// Returns whether the app has taken the tap; `nil` where it isn't asked.
    let isTaken: (@MainActor (ContentCard) -> Bool)?
    /// Returns whether an address should be opened.
    let shouldOpen: @MainActor (URL) -> Bool
    /// Counts the impression of the card, unless it was counted before: nobody clicks what they haven't seen.
    let countImpression: @MainActor () -> Void

    /// Logs the tap after the impression, and returns where it leads: nowhere, where the app has taken it.
    func perform() -> CardDestination {
        let destination = CardDestination(of: card)
        guard destination.isActionable(asksApp: isTaken != nil) else { return .nowhere }
        countImpression()
        guard let url = destination.url else {
            if isTaken?(card) == true { _ = source?.logClick(card, customAction: true) }
            return .nowhere
        }
        _ = source?.logClick(card, customAction: false)
        return shouldOpen(url) && isTaken?(card) != true ? destination : .nowhere
    }
}
