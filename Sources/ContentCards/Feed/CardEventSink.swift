/// Takes what typed objects and feeds report: a client.
protocol CardEventReceiver: AnyObject, Sendable {
    /// Logs what the user does with a card, if the rules say so.
    ///
    /// Returns whether it was logged.
    func log(_ action: CardAction, cardID: String, isCustomAction: Bool) -> Bool

    /// Tells developer and marketer that a card's extras are not what the app expects.
    func reportContentError(_ card: ContentCard, field: String?, message: String)
}

/// Hands on what typed objects and feeds report, as long as their client lives.
final class CardEventSink: Sendable {
    private struct Weak {
        weak var receiver: (any CardEventReceiver)?
    }

    private let weak = Locked(Weak())

    /// The sink of the client that was made last, for objects that the app makes outside of a feed.
    private static let latest = Locked<CardEventSink?>(nil)

    static var current: CardEventSink? { latest.withLock { $0 } }

    func connect(_ receiver: any CardEventReceiver) {
        weak.withLock { $0.receiver = receiver }
        Self.latest.withLock { $0 = self }
    }

    var receiver: (any CardEventReceiver)? { weak.withLock { $0.receiver } }
}
