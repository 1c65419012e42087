/// An action of a user on a card.
enum CardAction: String, Sendable {
    case impression
    case click
    case dismissal

    var flag: WritableKeyPath<ContentCard, Bool> {
        switch self {
        case .impression: \.isViewed
        case .click: \.isClicked
        case .dismissal: \.isDismissed
        }
    }
}
