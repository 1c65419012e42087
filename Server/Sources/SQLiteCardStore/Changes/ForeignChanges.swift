import CardModel
import CardStore
import GRDBSQLite

/// Notices what other processes change in the file.
///
/// Sendable without a check because only the task of `ForeignChangeWatch` uses it.
final class ForeignChanges: @unchecked Sendable {
    private struct Counters: Equatable {
        var catalog: Int64
        var users: Int64
    }

    private var handle: OpaquePointer?
    private var dataVersion: PreparedStatement?
    private var otherWriters: PreparedStatement?
    private let writerID: Int64
    private var seenVersion: Int64 = -1
    private var counters: [Int64: Counters] = [:]

    init(path: String, writerID: Int64) throws {
        let handle = try SQLiteHandle.open(path, cacheKiB: 64)
        self.handle = handle
        self.writerID = writerID
        // Where one of these fails, `deinit` closes the connection.
        dataVersion = try PreparedStatement(SQL.dataVersion, on: handle)
        otherWriters = try PreparedStatement(SQL.otherWriters, on: handle)
        _ = try poll()
    }

    deinit { close() }

    /// Closes the connection: only the last one that a process closes removes the log.
    func close() {
        (dataVersion, otherWriters) = (nil, nil)
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Looks once, and returns what other processes have changed since the last look.
    func poll() throws -> [StoreChange] {
        let version = try dataVersion?.use { statement in
            try statement.step() ? statement.integer(0) : -1
        }
        guard let version, version != seenVersion else { return [] }
        let current = try readCounters()
        defer {
            seenVersion = version
            counters = current
        }
        return Self.changes(from: counters, to: current)
    }

    private func readCounters() throws -> [Int64: Counters] {
        try otherWriters?.use { statement in
            statement.bind(1, writerID)
            var counters: [Int64: Counters] = [:]
            while try statement.step() {
                counters[statement.integer(0)] = Counters(catalog: statement.integer(1), users: statement.integer(2))
            }
            return counters
        } ?? [:]
    }

    /// A process that is gone from the table was tidied away; it changed nothing.
    private static func changes(from old: [Int64: Counters], to new: [Int64: Counters]) -> [StoreChange] {
        let changed = new.filter { old[$0.key] != $0.value }
        var changes: [StoreChange] = []
        if changed.contains(where: { $0.value.catalog != old[$0.key]?.catalog ?? 0 }) { changes.append(.catalog) }
        // Which users it was is not written down: other processes change users rarely, and then many at once.
        if changed.contains(where: { $0.value.users != old[$0.key]?.users ?? 0 }) { changes.append(.anything) }
        return changes
    }
}
