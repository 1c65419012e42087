import Synchronization

/// Says that a token named a key that is not known.
final class UnknownKeySignal: Sendable {
    private let isRaised = Atomic(false)

    /// Remembers it.
    func raise() { isRaised.store(true, ordering: .relaxed) }

    /// Returns whether it was raised since it was last asked.
    func take() -> Bool { isRaised.exchange(false, ordering: .relaxed) }
}
