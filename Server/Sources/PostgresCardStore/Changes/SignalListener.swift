import CardModel
import CardStore
import Dispatch
import Foundation
import Synchronization

/// Hears what other nodes have changed: woken by a notification, and by looking four times a second in any case.
///
/// The rows of `signals` are the truth. A notification is lost with a connection, and doesn't come through a pooler.
final class SignalListener: Sendable {
    static let channel = "placard"
    /// Stands for a user in a row that tells of the catalog, or, as one that is removed, of anything.
    static let notUser = ""
    /// Well within the second in which changes are to be announced, in milliseconds.
    static let interval: Int32 = 250

    private let isStopped = Mutex(false)
    private let pause = InterruptibleWait()
    private let queue = DispatchQueue(label: "placard.postgres.signals")

    /// Begins to listen; misses nothing from now on.
    ///
    /// - Parameters:
    ///   - source: Makes the connections.
    ///   - connection: The first one, where the caller has one that it needs no more.
    ///   - writer: The number of this node.
    ///   - announce: Is told of each change.
    /// - Throws: What the server says.
    func start(
        _ source: ConnectionSource,
        on connection: PostgresConnection? = nil,
        writer: Int64,
        announcing announce: @escaping @Sendable (StoreChange) -> Void
    ) throws {
        var first = SignalLook(source, on: connection, writer: writer, pause: pause)
        _ = try first.look()
        queue.async { [self, first] in
            var look = first
            while !isStopped.withLock({ $0 }) {
                for change in look.next() { announce(change) }
            }
        }
    }

    /// Stops, and returns once nothing is announced any more.
    func stop() async {
        isStopped.withLock { $0 = true }
        pause.interrupt()
        await withUnsafeContinuation { continuation in queue.async { continuation.resume() } }
    }
}

/// Looks what changed since the last look.
struct SignalLook: Sendable {
    private struct Counters: Equatable {
        var catalog: Int64
        var users: Int64
        var isOwn: Bool
    }

    /// More changes than that at once are told of as ``StoreChange/anything``.
    private static let limit: Int64 = 50_000
    private static let userSignals = "SELECT user_id, device, removed, writer FROM user_signals"

    private var source: ConnectionSource
    private let writer: Int64
    private let pause: InterruptibleWait
    /// A connection for the first look, until that takes it.
    private var given: PostgresConnection?
    private var connection: PostgresConnection?
    private var counters: [Int64: Counters]?
    /// The history that the counters are of.
    private var history: ServerHistory?
    private var isListening = false

    /// - Parameters:
    ///   - source: Makes the connections.
    ///   - connection: The first one, or `nil` to make it as well.
    ///   - writer: The number of this node.
    ///   - pause: Waits between two looks.
    init(
        _ source: ConnectionSource,
        on connection: PostgresConnection? = nil,
        writer: Int64,
        pause: InterruptibleWait = InterruptibleWait()
    ) {
        self.source = source
        given = connection
        // From now on it does the work of the source's connections.
        connection?.count(in: source.roundTrips)
        self.writer = writer
        self.pause = pause
    }

    /// Waits for a notification or the time of the next look, and returns what was found.
    mutating func next() -> [StoreChange] {
        do {
            try wait()
            return try look()
        } catch {
            connection = nil
            _ = pause.wait(milliseconds: SignalListener.interval)
            return []
        }
    }

    private mutating func wait() throws {
        guard let connection else { return }
        let socket = isListening ? connection.socket : nil
        if pause.wait(milliseconds: SignalListener.interval, for: socket) { _ = try connection.takeNotifications() }
    }

    mutating func look() throws -> [StoreChange] {
        let connection = try connected()
        try connection.requireSameHistory()
        let current = try Self.counters(on: connection, of: writer)
        defer { (counters, history) = (current, connection.history) }
        // Whoever begins to listen knows nothing older.
        guard let old = counters else { return [] }
        // A standby that was promoted may have lost changes and counted others instead.
        guard history == connection.history else { return [.anything] }
        var changes: [StoreChange] = []
        for (slot, new) in current where old[slot] != new {
            let last = old[slot] ?? Counters(catalog: 0, users: 0, isOwn: false)
            // What this node has changed itself it has announced itself; what another process had changed there before
            // it gave back the slot, or lost it, stands between.
            if new.isOwn {
                changes += try foreign(slot, after: last.users, through: new.users, on: connection)
                continue
            }
            // A node of an older version leaves no row of it.
            if new.catalog != last.catalog, new.users == last.users { changes.append(.catalog) }
            if new.users != last.users {
                changes += try users(slot, after: last.users, through: new.users, on: connection)
            }
        }
        return changes
    }

    private static func counters(
        on connection: PostgresConnection,
        of writer: Int64
    ) throws -> [Int64: Counters] {
        let rows = try connection.rows("SELECT slot, owner, catalog_changes, user_changes FROM signals")
        return Dictionary(
            try rows.map { row in
                let counters = Counters(
                    catalog: try row.integer("catalog_changes"),
                    users: try row.integer("user_changes"),
                    isOwn: try row.optionalInteger("owner") == writer
                )
                return (try row.integer("slot"), counters)
            },
            uniquingKeysWith: { $1 }
        )
    }

    /// Returns the changes of others in a slot that is this node's now.
    private func foreign(
        _ slot: Int64,
        after start: Int64,
        through end: Int64,
        on connection: PostgresConnection
    ) throws -> [StoreChange] {
        let rows = try connection.rows(
            """
            \(Self.userSignals)
            WHERE slot = $1 AND sequence > $2 AND sequence <= $3 AND writer <> $4 ORDER BY sequence LIMIT $5
            """,
            [slot, start, end, writer, Self.limit + 1]
        )
        return Int64(rows.count) > Self.limit ? [.anything] : try changes(of: rows)
    }

    /// The users that other nodes changed; ``StoreChange/anything`` where not every change has a row.
    private func users(
        _ slot: Int64,
        after start: Int64,
        through end: Int64,
        on connection: PostgresConnection
    ) throws -> [StoreChange] {
        let (count, isOverflow) = end.subtractingReportingOverflow(start)
        guard !isOverflow, count > 0, count <= Self.limit else { return [.anything] }
        let rows = try connection.rows(
            """
            \(Self.userSignals)
            WHERE slot = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence
            """,
            [slot, start, end]
        )
        guard Int64(rows.count) == count else { return [.anything] }
        return try changes(of: rows)
    }

    private func changes(of rows: [PostgresRow]) throws -> [StoreChange] {
        var (users, others) = (GroupChanges(), [StoreChange]())
        for row in rows where try row.integer("writer") != writer {
            let (text, isRemoved) = (try row.text("user_id"), try row.flag("removed"))
            guard text != SignalListener.notUser else {
                others.append(isRemoved ? .anything : .catalog)
                continue
            }
            let user = UserID(rawValue: text)
            if isRemoved { others.append(.removed(user)) }
            users.touch(user, by: try row.optionalText("device"))
        }
        return others + StoreChange.of(users.users)
    }

    private mutating func connected() throws -> PostgresConnection {
        if let connection, connection.isOpen { return connection }
        let connection = try takeGiven() ?? source.connect()
        isListening = connection.usesPreparedStatements
        if isListening { try connection.simple("LISTEN \(SignalListener.channel)") }
        self.connection = connection
        return connection
    }

    private mutating func takeGiven() -> PostgresConnection? {
        defer { given = nil }
        return given.flatMap { $0.isOpen ? $0 : nil }
    }
}
