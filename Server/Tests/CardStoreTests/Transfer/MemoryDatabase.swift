import CardStore
import Synchronization

/// A database in memory, which fails when a test says so.
final class MemoryDatabase: TransferSource, TransferTarget {
    static let tables = ["alpha", "beta", "users"].map { name in
        TransferTable(name, columns: [.init("id", .integer), .init("text", .text)], key: ["id"])
    }
    static let head = TransferHead(
        generation: 1,
        settings: [],
        checkedAt: 0,
        userHashKey: [1],
        secretsKey: nil,
        logPosition: 0,
        noticePosition: 0
    )
    static let killed = StoreError(.unavailable, "The process was killed.")

    private struct State {
        /// Those of each table in the order of their keys.
        var rows: [String: [[TransferValue]]]
        var fingerprint: [UInt8] = [1]
        var copy: UnfinishedCopy?
        var finishedUsers: [Int64] = []
        /// After how many more writes one fails, and whether it is written all the same.
        var failure: (writes: Int, isWritten: Bool)?
        /// A row that is written otherwise than it was given.
        var spoiled: TransferValue?
    }

    private let state: Mutex<State>

    init(_ rows: [String: [[TransferValue]]] = [:]) { state = Mutex(State(rows: rows.mapValues(Self.sorted))) }

    /// The rows of all tables, those of each in the order of their keys.
    var rows: [String: [[TransferValue]]] {
        state.withLock { state in state.rows.filter { !$0.value.isEmpty } }
    }

    /// The numbers of users of each time that a copy was finished.
    var finishedUsers: [Int64] { state.withLock(\.finishedUsers) }

    /// Changes the rows of a table as another program would.
    func change(_ table: String, _ body: (inout [[TransferValue]]) -> Void) {
        state.withLock { state in
            var rows = state.rows[table] ?? []
            body(&rows)
            state.rows[table] = Self.sorted(rows)
        }
    }

    /// Has the write fail that comes after a number of others.
    func fail(after writes: Int, isWritten: Bool) { state.withLock { $0.failure = (writes, isWritten) } }

    /// Has a row be written with another text, or none.
    func spoil(_ id: TransferValue?) { state.withLock { $0.spoiled = id } }

    func setFingerprint(_ bytes: [UInt8]) { state.withLock { $0.fingerprint = bytes } }

    private static func id(_ row: [TransferValue]) -> Int64 {
        if case .integer(let id)? = row.first { id } else { 0 }
    }

    private static func sorted(_ rows: [[TransferValue]]) -> [[TransferValue]] { rows.sorted { id($0) < id($1) } }

    // MARK: Reading

    func tables() throws(StoreError) -> [TransferTable] { Self.tables }

    func count(of table: TransferTable) throws(StoreError) -> Int64 {
        state.withLock { Int64($0.rows[table.name]?.count ?? 0) }
    }

    func rows(
        of table: TransferTable,
        after key: [TransferValue]?,
        limit: Int
    ) throws(StoreError) -> [[TransferValue]] {
        let start = key.map(Self.id)
        let rows = state.withLock { $0.rows[table.name] ?? [] }
        return Array(rows.drop { row in start.map { Self.id(row) <= $0 } ?? false }.prefix(limit))
    }

    func head() throws(StoreError) -> TransferHead { Self.head }

    func fingerprint() throws(StoreError) -> [UInt8] { state.withLock(\.fingerprint) }

    // MARK: Writing

    func unfinishedCopy() throws(StoreError) -> UnfinishedCopy? { state.withLock(\.copy) }

    func begin(_ fingerprint: [UInt8]) throws(StoreError) {
        state.withLock { $0.copy = UnfinishedCopy(fingerprint: fingerprint, states: [:]) }
    }

    func append(
        _ rows: [[TransferValue]],
        to table: TransferTable,
        advancing old: TransferState,
        to new: TransferState
    ) throws(StoreError) {
        let isKilled = state.withLock { state in
            let failure = state.failure
            state.failure = failure.map { (writes: $0.writes - 1, isWritten: $0.isWritten) }
            if failure?.writes == 0, failure?.isWritten == false { return true }
            let spoiled = state.spoiled
            let written = rows.map { $0.first == spoiled ? [$0[0], .null] : $0 }
            state.rows[table.name] = Self.sorted((state.rows[table.name] ?? []) + written)
            var states = state.copy?.states ?? [:]
            states[table.name] = new
            state.copy = UnfinishedCopy(fingerprint: state.copy?.fingerprint ?? [], states: states)
            return failure?.writes == 0
        }
        if isKilled { throw Self.killed }
    }

    func finish(_ head: TransferHead, users: Int64) throws(StoreError) {
        state.withLock { $0.finishedUsers.append(users) }
    }
}
