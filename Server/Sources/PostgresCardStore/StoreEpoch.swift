import Synchronization

/// The store's name for its own history, in which the server's has a part.
///
/// After a failover that lost transactions, or in a database that was filled from a dump, a version that is given out a
/// second time must not look like the first one.
final class StoreEpoch: Sendable {
    private let own: Atomic<UInt64>
    private let server = Atomic<UInt64>(0)

    init() { own = Atomic(0) }

    var value: UInt64 { own.load(ordering: .acquiring) ^ server.load(ordering: .acquiring) }

    /// The value where the server's history is that of a connection.
    func value(in history: ServerHistory) -> UInt64 { own.load(ordering: .acquiring) ^ history.number }

    /// Takes the number that was given to the database when it was made.
    func follow(own number: Int64) { own.store(UInt64(bitPattern: number), ordering: .releasing) }

    /// Takes the history that a new connection shows.
    func follow(_ history: ServerHistory) { server.store(history.number, ordering: .releasing) }
}
