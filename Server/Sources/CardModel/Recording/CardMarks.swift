/// The user's actions on a card so far.
public struct CardMarks: Sendable, Hashable {
    /// Whether it was seen.
    public var isViewed: Bool
    /// Whether it was clicked.
    public var isClicked: Bool
    /// Whether it was dismissed.
    public var isDismissed: Bool
    /// The time at which it was last seen, or `nil` where that isn't known.
    public var viewedAt: UnixTime?
    /// The time at which it was last clicked, or `nil` where that isn't known.
    public var clickedAt: UnixTime?
    /// The time at which it was last dismissed, or `nil` where that isn't known.
    public var dismissedAt: UnixTime?

    /// Creates marks; by default of a card with which the user has done nothing.
    public init(
        isViewed: Bool = false,
        isClicked: Bool = false,
        isDismissed: Bool = false,
        viewedAt: UnixTime? = nil,
        clickedAt: UnixTime? = nil,
        dismissedAt: UnixTime? = nil
    ) {
        self.isViewed = isViewed
        self.isClicked = isClicked
        self.isDismissed = isDismissed
        self.viewedAt = viewedAt
        self.clickedAt = clickedAt
        self.dismissedAt = dismissedAt
    }

    /// Adds what happened, and returns whether it is later than what had happened before.
    mutating func add(_ kind: DeviceEvent.EventKind, at time: UnixTime) -> Bool {
        func isLater(_ last: inout UnixTime?) -> Bool {
            guard time > last ?? -.infinity else { return false }
            last = time
            return true
        }
        switch kind {
        case .impression: return isLater(&viewedAt)
        case .click: return isLater(&clickedAt)
        case .dismissal: return isLater(&dismissedAt)
        case .custom, .purchase, .sessionStart, .contentError, .attributes: return false
        }
    }

    /// Adds what happened, and returns whether it had not happened before.
    ///
    /// Two devices may each dismiss a card before they hear of one another; then the second dismissal is news to the
    /// log but not to the card.
    mutating func add(_ kind: DeviceEvent.EventKind) -> Bool {
        switch kind {
        case .impression:
            defer { isViewed = true }
            return !isViewed
        case .click:
            defer { isClicked = true }
            return !isClicked
        case .dismissal:
            defer { isDismissed = true }
            return !isDismissed
        case .custom, .purchase, .sessionStart, .contentError, .attributes:
            return false
        }
    }
}
