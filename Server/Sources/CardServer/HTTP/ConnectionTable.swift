import NIOCore
import Synchronization

/// The open connections, a bounded number in all and of each address.
///
/// Where a limit is reached, a connection on which nobody waits for an answer goes first, the one that has been so for
/// the longest time: whoever holds connections open without using them loses them to those who do.
final class ConnectionTable: Sendable {
    /// One open connection.
    final class Entry: Sendable {
        private static let busy = Int64.max

        /// Closes it, if nobody waits for an answer on it by then.
        let closeIfIdle: @Sendable () -> Void
        /// Closes it, whatever it is doing.
        let close: @Sendable () -> Void
        let client: ClientKey?
        /// The time since which nobody waits for an answer, in nanoseconds of uptime, or `busy`.
        private let idleSince: Atomic<Int64>
        /// Its place among all, and among those of its address; guarded by the table.
        fileprivate let places = Mutex((all: 0, client: 0))

        init(
            _ client: ClientKey?,
            at now: NIODeadline,
            close: @escaping @Sendable () -> Void = {},
            closeIfIdle: @escaping @Sendable () -> Void
        ) {
            self.close = close
            self.closeIfIdle = closeIfIdle
            self.client = client
            // safe: 292 years of nanoseconds fit
            idleSince = Atomic(Int64(now.uptimeNanoseconds))
        }

        /// A client waits for an answer.
        func becomeBusy() { idleSince.store(Self.busy, ordering: .relaxed) }

        // safe: 292 years of nanoseconds fit
        /// Nobody waits for an answer any more.
        func becomeIdle(at now: NIODeadline) { idleSince.store(Int64(now.uptimeNanoseconds), ordering: .relaxed) }

        /// Whether nobody waits for an answer.
        var isIdle: Bool { rank != Self.busy }

        fileprivate var rank: Int64 { idleSince.load(ordering: .relaxed) }
    }

    fileprivate struct State {
        var all: [Entry] = []
        var clients: [ClientKey: [Entry]] = [:]
    }

    /// The number of connections that are looked at to find one that has been idle for long, where there are very many.
    private static let sample = 64

    private let total: Int
    private let perAddress: Int
    private let onEviction: @Sendable (ConnectionArrivals.Limit) -> Void
    private let state = Mutex(State())

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - total: The most connections in all.
    ///   - perAddress: The most connections of one address.
    ///   - onEviction: Is called where one has to go for another, with the limit that was reached.
    init(total: Int, perAddress: Int, onEviction: @escaping @Sendable (ConnectionArrivals.Limit) -> Void = { _ in }) {
        self.onEviction = onEviction
        self.total = max(1, total)
        self.perAddress = max(1, perAddress)
    }

    /// The number of open connections.
    var count: Int { state.withLock { $0.all.count } }

    /// The number of open connections on which a client waits for an answer, or reads one.
    var busyCount: Int { state.withLock { $0.all.count { !$0.isIdle } } }

    /// Closes every connection, whatever it is doing.
    func closeAll() {
        for entry in state.withLock({ $0.all }) { entry.close() }
    }

    /// Adds a connection, and lets another close for it where there is no room.
    ///
    /// - Returns: Whether there is room for it.
    func add(_ entry: Entry) -> Bool {
        let (isAdded, evicted) = state.withLock { state -> (Bool, (entry: Entry, limit: ConnectionArrivals.Limit)?) in
            var evicted: (entry: Entry, limit: ConnectionArrivals.Limit)?
            if let client = entry.client, let own = state.clients[client], own.count >= perAddress {
                guard let idle = Self.longestIdle(own) else { return (false, nil) }
                state.remove(idle)
                evicted = (idle, .address)
            }
            if state.all.count >= total {
                guard let idle = Self.longestIdle(state.someEntries(Self.sample)) else { return (false, nil) }
                state.remove(idle)
                evicted = (idle, .total)
            }
            state.add(entry)
            return (true, evicted)
        }
        if let evicted {
            evicted.entry.closeIfIdle()
            onEviction(evicted.limit)
        }
        return isAdded
    }

    /// Removes a connection that has closed.
    func remove(_ entry: Entry) {
        state.withLock { $0.remove(entry) }
    }

    private static func longestIdle(_ entries: [Entry]) -> Entry? {
        entries.filter(\.isIdle).min { $0.rank < $1.rank }
    }
}

extension ConnectionTable.State {
    fileprivate mutating func add(_ entry: ConnectionTable.Entry) {
        let clientPlace = entry.client.flatMap { clients[$0]?.count } ?? 0
        entry.places.withLock { $0 = (all.count, clientPlace) }
        all.append(entry)
        if let client = entry.client { clients[client, default: []].append(entry) }
    }

    /// Removes an entry, whose place the last one takes.
    fileprivate mutating func remove(_ entry: ConnectionTable.Entry) {
        let places = entry.places.withLock { $0 }
        guard all.indices.contains(places.all), all[places.all] === entry else { return }
        all.swapAt(places.all, all.count - 1)
        all[places.all].places.withLock { $0.all = places.all }
        all.removeLast()
        guard let client = entry.client, var own = clients.removeValue(forKey: client) else { return }
        own.swapAt(places.client, own.count - 1)
        own[places.client].places.withLock { $0.client = places.client }
        own.removeLast()
        if !own.isEmpty { clients[client] = own }
    }

    /// Entries that stand side by side from a random place on.
    fileprivate func someEntries(_ count: Int) -> [ConnectionTable.Entry] {
        guard all.count > count else { return all }
        let start = Int.random(in: 0..<all.count)
        // safe: there are more than are asked for
        return (0..<count).map { all[(start + $0) % all.count] }
    }
}

/// Asks a connection to close because another needs its place, unless a client waits for an answer by now.
struct ConnectionEvictionEvent: Sendable {}

/// Tells a connection that the server closes it now, because its time to stop is over.
struct ServerStopEvent: Sendable {}
