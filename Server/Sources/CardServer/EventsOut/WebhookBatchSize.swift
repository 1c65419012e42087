import Synchronization

/// The amount of the log that one request carries: less after each failure, and more again after some that were taken.
///
/// A receiver may refuse what is too much for it, without saying so, and take all of it in pieces.
final class WebhookBatchSize: Sendable {
    /// The most events that a request carries.
    static let events = 500
    /// The most JSON that a request carries, unless a single event is more: what proxies let through as they come.
    static let bytes = 256 << 10
    /// The maximum number of times that both are halved: down to one event.
    private static let halvings = 9
    /// The number of requests in a row that are taken before the next can be twice as large.
    private static let patience = 16

    private struct State {
        var halvings = 0
        var taken = 0
    }

    private let state = Mutex(State())

    /// The limits of the next request.
    var limits: (events: Int, bytes: Int) {
        let halvings = state.withLock { $0.halvings }
        return (max(Self.events >> halvings, 1), Self.bytes >> halvings)
    }

    /// Notes whether a request was taken.
    func note(isTaken: Bool) {
        state.withLock { state in
            guard isTaken else {
                state = State(halvings: min(state.halvings + 1, Self.halvings))
                return
            }
            state.taken += 1
            if state.taken >= Self.patience { state = State(halvings: max(state.halvings - 1, 0)) }
        }
    }
}
