extension ClientCore {
    /// Tells developer and marketer that a card's extras are not what the app expects.
    func reportContentError(_ card: ContentCard, field: String?, message: String) {
        guard !isClosed, let user = feed.noteContentError(card) else { return }
        let classType = card.classType.rawValue
        report(.contentError(cardID: card.id, classType: classType, field: field, message: message))
        let event = NewEvent.contentError(cardID: card.id, classType: classType, field: field, message: message)
        _ = log(event, for: user)
    }
}
