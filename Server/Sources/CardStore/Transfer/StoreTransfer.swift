/// Copies everything of one store to another, from where an earlier attempt stopped.
///
/// Each batch of rows is written together with how far the copy is, so that nothing is copied twice or left out,
/// whenever the process ends. Memory doesn't grow with the source.
package struct StoreTransfer {
    /// The progress of a copy.
    package struct Progress: Sendable, Hashable {
        /// The number of rows that were copied or compared.
        package var done: Int64
        /// The number of rows to copy and to compare, and of those of an earlier attempt, which are compared before.
        package var total: Int64
        /// The number of rows that an earlier attempt had copied.
        package var before: Int64
    }

    /// The rows that were copied.
    package struct Summary: Sendable, Hashable {
        /// The number of rows of each table.
        package var counts: [String: Int64] = [:]
        /// Whether an earlier attempt was continued.
        package var isResumed = false
        /// Whether the servers of the copy need the key that secrets are encrypted with.
        package var needsSecretsKey = false
        /// The number of rows of all tables.
        package var rows: Int64 { counts.values.reduce(0) { $0.addingReportingOverflow($1).partialValue } }
    }

    /// A batch begins with few rows, whose size then says how many there may be.
    private static let firstBatch = 64
    private static let batchBytes = 4 << 20

    private let source: any TransferSource
    private let target: any TransferTarget
    private let batchRows: Int

    /// Creates a copy.
    ///
    /// - Parameters:
    ///   - source: The store that is copied.
    ///   - target: The store that it is copied to.
    ///   - batchRows: The number of rows in one transaction, at most.
    package init(from source: any TransferSource, to target: any TransferTarget, batchRows: Int = 5_000) {
        (self.source, self.target) = (source, target)
        self.batchRows = max(batchRows, 1)
    }

    /// Copies what isn't copied yet, and compares all of it with the source.
    ///
    /// What an earlier attempt has copied is read from the source again before: it has to be as it was.
    ///
    /// - Parameter report: Is told how far the copy is after each batch; what it throws stops the copy.
    /// - Returns: What was copied.
    /// - Throws: `StoreError.exists` where the target isn't empty; `StoreError.conflict` where the source was changed
    ///   since an earlier attempt; `StoreError.corrupt` where the target differs from the source.
    package func run(_ report: (Progress) throws -> Void = { _ in }) throws -> Summary {
        let tables = try pairedTables()
        let fingerprint = try source.fingerprint()
        let unfinished = try target.unfinishedCopy()
        if let unfinished {
            guard unfinished.fingerprint == fingerprint else { throw Self.changed }
        } else {
            try target.begin(fingerprint)
        }
        var states = unfinished?.states ?? [:]
        var progress = try progress(of: tables, after: states)
        for pair in tables { try checkUnchanged(pair.source, since: states[pair.source.name], &progress, report) }
        for pair in tables {
            let state = states[pair.source.name] ?? TransferState()
            states[pair.source.name] = try copy(pair, from: state, &progress, report)
        }
        for pair in tables { try compare(pair.target, with: states[pair.source.name], &progress, report) }
        let head = try source.head()
        try target.finish(head, users: states["users"]?.copied ?? 0)
        return Summary(
            counts: states.mapValues(\.copied),
            isResumed: unfinished != nil,
            needsSecretsKey: head.secretsKey != nil
        )
    }

    private typealias Pair = (source: TransferTable, target: TransferTable)

    /// Returns the tables, in the order in which the target takes them.
    private func pairedTables() throws -> [Pair] {
        let (own, others) = (try source.tables(), try target.tables())
        let known = Dictionary(own.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard own.count == others.count else { throw Self.otherSchema }
        return try others.map { other in
            guard let table = known[other.name], table.columns.map(\.name) == other.columns.map(\.name) else {
                throw Self.otherSchema
            }
            return (table, other)
        }
    }

    /// Returns how far the copy is before anything of this attempt.
    private func progress(of tables: [Pair], after states: [String: TransferState]) throws -> Progress {
        let before = states.values.reduce(Int64(0)) { $0.addingReportingOverflow($1.copied).partialValue }
        var (total, isTooLarge) = (Int64(0), false)
        for pair in tables {
            let (next, overflows) = total.addingReportingOverflow(try source.count(of: pair.source))
            (total, isTooLarge) = (next, isTooLarge || overflows)
        }
        guard !isTooLarge else { throw StoreError.unreadable("more rows than can be counted") }
        let (twice, overflows) = total.multipliedReportingOverflow(by: 2)
        let (all, isBeyond) = twice.addingReportingOverflow(before)
        return Progress(done: before, total: overflows || isBeyond ? total : all, before: before)
    }

    private func copy(
        _ pair: Pair,
        from start: TransferState,
        _ progress: inout Progress,
        _ report: (Progress) throws -> Void
    ) throws -> TransferState {
        var state = start
        var size = min(Self.firstBatch, batchRows)
        while !state.isDone {
            let rows = try source.rows(of: pair.source, after: state.lastKey, limit: size)
            var next = state
            for row in rows { next.digest.add(row) }
            // safe: counts of rows
            next.copied += Int64(rows.count)
            next.lastKey = rows.last.map(pair.source.key) ?? state.lastKey
            next.isDone = rows.count < size
            try target.append(rows, to: pair.target, advancing: state, to: next)
            state = next
            size = Self.batchSize(after: rows, of: size, atMost: batchRows)
            progress.done += Int64(rows.count)
            try report(progress)
        }
        return state
    }

    /// Throws where the rows that an earlier attempt has copied of a table are others by now.
    private func checkUnchanged(
        _ table: TransferTable,
        since state: TransferState?,
        _ progress: inout Progress,
        _ report: (Progress) throws -> Void
    ) throws {
        guard let state, state.isDone || state.copied > 0 else { return }
        // Of a table that was copied to its end, a row more is a change; of another, it is still to be copied.
        let limit = state.isDone ? Int64.max : state.copied
        let found = try rows(table, of: source, upTo: limit, &progress, report)
        guard found.copied == state.copied, found.digest == state.digest, found.lastKey == state.lastKey else {
            throw Self.changed
        }
    }

    /// Reads rows of a table from its beginning.
    private func rows(
        _ table: TransferTable,
        of database: any TransferDatabase,
        upTo limit: Int64 = .max,
        _ progress: inout Progress,
        _ report: (Progress) throws -> Void
    ) throws -> TransferState {
        var found = TransferState()
        var size = min(Self.firstBatch, batchRows)
        while !found.isDone {
            // safe: no more were read than the limit
            let wanted = min(size, Int(clamping: limit - found.copied))
            let rows = try database.rows(of: table, after: found.lastKey, limit: wanted)
            for row in rows { found.digest.add(row) }
            // safe: counts of rows
            found.copied += Int64(rows.count)
            found.lastKey = rows.last.map(table.key) ?? found.lastKey
            found.isDone = rows.count < wanted || found.copied >= limit
            size = Self.batchSize(after: rows, of: size, atMost: batchRows)
            progress.done += Int64(rows.count)
            try report(progress)
        }
        return found
    }

    private func compare(
        _ table: TransferTable,
        with state: TransferState?,
        _ progress: inout Progress,
        _ report: (Progress) throws -> Void
    ) throws {
        let found = try rows(table, of: target, &progress, report)
        guard let state, found.copied == state.copied, found.digest == state.digest else {
            throw StoreError(
                .corrupt,
                "The copy's table \(table.name) differs from the source's. Don't use the copy: "
                    + "remove it, and begin again."
            )
        }
    }

    /// The number of rows for the next batch: as many as fit a few megabytes, but not many times as many as before.
    private static func batchSize(after rows: [[TransferValue]], of size: Int, atMost limit: Int) -> Int {
        guard !rows.isEmpty else { return size }
        let bytes = rows.joined().reduce(0) { $0.addingReportingOverflow($1.size).partialValue }
        // safe: there are rows
        let fitting = batchBytes / max(bytes / rows.count, 1)
        // safe: at most some millions
        return min(max(fitting, 1), min(size, 1 << 20) * 4, limit)
    }

    private static let changed = StoreError(
        .conflict,
        "The target is an unfinished copy of another database, or the source was changed since. "
            + "Remove the target (the file, "
            + "or the PostgreSQL database), and begin again."
    )

    private static let otherSchema = StoreError(
        .incompatible,
        "The two databases are not of one version. Run `placard migrate` for the source, then copy again."
    )
}
