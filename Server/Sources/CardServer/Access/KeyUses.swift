import CardModel
import Synchronization

/// The times at which keys were used: noted in memory by requests, and written to the store at most once a minute for
/// each key.
final class KeyUses: Sendable {
    private struct State {
        var noted: [String: UnixTime] = [:]
        var unwritten: [String: UnixTime] = [:]
    }

    /// The accuracy of the times of use, in seconds.
    static let interval = 60.0

    private let state = Mutex(State())

    /// Notes that a key was used.
    func note(_ key: String, at now: UnixTime) {
        state.withLock { state in
            if let last = state.noted[key], abs(now - last) < Self.interval { return }
            state.noted[key] = now
            state.unwritten[key] = now
        }
    }

    /// Takes what is to be written.
    func take() -> [String: UnixTime] {
        state.withLock { state in
            defer { state.unwritten = [:] }
            return state.unwritten
        }
    }
}
