import Synchronization

/// The store's name for its own history, in which the server's timeline has a part.
///
/// After a failover that lost transactions, a version that is given out a second time must not look like the first one.
final class StoreEpoch: Sendable {
    private let own: Atomic<UInt64>
    private let timeline = Atomic<UInt64>(0)

    init() { own = Atomic(0) }

    var value: UInt64 {
        own.load(ordering: .acquiring) ^ (timeline.load(ordering: .acquiring) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// Takes the number that was given to the database when it was made.
    func follow(own number: Int64) { own.store(UInt64(bitPattern: number), ordering: .releasing) }

    /// Takes the timeline of a new connection, in hexadecimal.
    func follow(timeline text: String) {
        guard let number = UInt64(text, radix: 16) else { return }
        timeline.store(number, ordering: .releasing)
    }
}
