import CardStore
import Synchronization

/// Counts how often the connections of one purpose have waited for an answer of the server.
final class RoundTrips: Sendable {
    private let number = Atomic<Int>(0)

    /// The number so far.
    var count: Int { number.load(ordering: .relaxed) }

    /// Counts one.
    func add() { number.add(1, ordering: .relaxed) }
}

/// The traffic of connections: what they are used for, and what they have cost.
struct ConnectionTraffic: Sendable {
    private let trips: [StoreTraffic.Purpose: RoundTrips] = Dictionary(
        StoreTraffic.Purpose.allCases.map { ($0, RoundTrips()) },
        uniquingKeysWith: { first, _ in first }
    )

    /// Returns a source whose connections are counted for a purpose.
    func source(_ source: ConnectionSource, for purpose: StoreTraffic.Purpose) -> ConnectionSource {
        var source = source
        source.roundTrips = trips[purpose]
        return source
    }

    /// The number of times connections have waited for the server, by purpose.
    var roundTrips: [StoreTraffic.Purpose: Int] { trips.mapValues(\.count) }
}
