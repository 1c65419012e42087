import Foundation

/// The result of a log call, and its user.
enum CardLogging: Sendable, Equatable {
    /// It is to be logged for a user, unless there were more wipes than these by then.
    case log(user: String, wipes: Int = 0)
    case skip(String)
}

extension FeedStore {
    /// Notes what the user does with a card, and says whether it is to be logged.
    ///
    /// With `isCustomAction` it is the app that lets the user click a card without a url, or dismiss one that is not
    /// dismissible.
    func act(_ action: CardAction, cardID: String, isCustomAction: Bool) -> CardLogging {
        var outcome = CardLogging.skip("content cards are disabled or nobody is identified")
        change { state in
            guard let user = state.user, !state.isDisabled else { return false }
            guard let card = state.feed.card(id: cardID) else {
                outcome = .skip("the card is not in the feed")
                return false
            }
            if let reason = Self.refusal(action, card, isCustomAction: isCustomAction) {
                outcome = .skip(reason)
                return false
            }
            outcome = .log(user: user.text, wipes: state.wipes)
            guard state.feed.mark(action, id: cardID) else { return false }
            state.isDirty = true
            return true
        }
        return outcome
    }

    private static func refusal(_ action: CardAction, _ card: ContentCard, isCustomAction: Bool) -> String? {
        switch action {
        case .impression: nil
        case .click: isCustomAction || card.url != nil ? nil : "the card has no usable url"
        case .dismissal where !card.isDismissible && !isCustomAction: "the card is not dismissible"
        case .dismissal: card.isDismissed ? "the card was dismissed before" : nil
        }
    }

    /// Notes that a card's extras did not decode.
    ///
    /// Returns whose card it is the first time this version is noted.
    func noteContentError(_ card: ContentCard) -> CurrentUser? {
        state.withLock { state in
            guard state.user != nil, !state.isDisabled, state.feed.noteReported(card) else { return nil }
            state.isDirty = true
            return state.current
        }
    }
}
