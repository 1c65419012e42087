import CardModel
import Synchronization

/// A record of what tokens and fetches say of the keys of `jwks_url`: that one is missing, and how old they are.
final class KeySetWatch: Sendable {
    /// The time for which keys check tokens after they were fetched last, in seconds: a day.
    ///
    /// It is long, so that a provider that is away keeps nobody out for a while, and ends, so that a key that was
    /// revoked doesn't stay good where the provider can't be asked.
    static let maximumAge = 86_400.0

    private struct State {
        var url: String?
        var fetchedAt: UnixTime = 0
        var failures = 0
    }

    private let isRaised = Atomic(false)
    private let state = Mutex(State())

    /// Remembers that a token named a key that is not known.
    func raise() { isRaised.store(true, ordering: .relaxed) }

    /// Returns whether such a token has come since it was last asked.
    func take() -> Bool { isRaised.exchange(false, ordering: .relaxed) }

    /// Notes that keys were fetched.
    func noteFetch(of url: String, at now: UnixTime) {
        state.withLock { ($0.url, $0.fetchedAt) = (url, now) }
    }

    /// Notes that keys could not be fetched.
    func noteFailure() { state.withLock { $0.failures &+= 1 } }

    /// The number of times keys could not be fetched.
    var failures: Int { state.withLock { $0.failures } }

    /// Returns the age of the keys of an address in seconds; since this was first asked, where they were never fetched.
    func age(of url: String, at now: UnixTime) -> Double {
        state.withLock { state in
            if state.url?.hasSameBytes(as: url) != true { (state.url, state.fetchedAt) = (url, now) }
            return max(0, now - state.fetchedAt)
        }
    }

    /// Returns whether the keys of an address are too old to check tokens.
    func isOutdated(_ url: String, at now: UnixTime) -> Bool { age(of: url, at: now) > Self.maximumAge }
}
