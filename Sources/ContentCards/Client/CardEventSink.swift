/// Takes what typed objects and feeds report, as long as their client lives.
final class CardEventSink: Sendable {
    private struct Weak {
        weak var core: ClientCore?
    }

    private let weak = Locked(Weak())

    /// The sink of the client that was made last, for objects that the app makes outside of a feed.
    private static let latest = Locked<CardEventSink?>(nil)

    static var current: CardEventSink? { latest.withLock { $0 } }

    func connect(_ core: ClientCore) {
        weak.withLock { $0.core = core }
        Self.latest.withLock { $0 = self }
    }

    var core: ClientCore? { weak.withLock { $0.core } }
}
