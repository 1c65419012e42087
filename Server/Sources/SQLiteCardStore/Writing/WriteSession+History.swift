import CardModel
import CardStore
import WireJSON

/// What the events of a batch add to their user's history, so that each row is read and written once.
struct HistoryOfBatch {
    fileprivate struct Entry {
        /// Whether the store has a row for it.
        let isStored: Bool
        var summary: HistorySummary?
        var isChanged = false
    }

    fileprivate var entries: [HistoryKey: Entry] = [:]
    /// The number of rows that the user has and will have, once it has been asked for.
    fileprivate var rowCount: Int64?

    /// The parts that there is something to add to.
    var parts: UserHistory.Parts {
        entries.reduce(into: []) { parts, entry in
            if entry.value.isChanged { parts.formUnion(entry.key.part) }
        }
    }
}

extension WriteSession {
    /// Adds an event to a history.
    ///
    /// - Throws: `UserLimits.Excess` where the event has one name too many.
    func add(_ event: DeviceEvent, to history: inout HistoryOfBatch, of user: UserID) throws {
        guard let key = HistoryKey(event.kind) else { return }
        var amount: Amount?
        if case .purchase(let purchase) = event.kind { amount = purchase.amount }
        try open(key, in: &history, of: user)
        if history.entries[key]?.summary?.add(amount, at: event.at) == nil {
            history.entries[key]?.summary = HistorySummary(of: amount, at: event.at)
        }
        history.entries[key]?.isChanged = true
    }

    /// Reads the row of a key, or makes room for a new one.
    private func open(_ key: HistoryKey, in history: inout HistoryOfBatch, of user: UserID) throws {
        guard history.entries[key] == nil else { return }
        let summary: HistorySummary? = try statements.history.use { statement in
            statement.bind(key, of: user)
            guard try statement.step() else { return nil }
            return try statement.historySummary(of: key.part, from: 0)
        }
        if summary == nil, key.part != .sessions { try makeRoom(in: &history, of: user) }
        history.entries[key] = HistoryOfBatch.Entry(isStored: summary != nil, summary: summary)
    }

    private func makeRoom(in history: inout HistoryOfBatch, of user: UserID) throws {
        let known = try history.rowCount ?? rowCount(of: user)
        let limit = try userLimits().eventNames
        guard known < limit else {
            history.rowCount = known
            throw UserLimits.Excess(.eventNames, limit: limit)
        }
        // safe: below the limit
        history.rowCount = known + 1
    }

    private func rowCount(of user: UserID) throws -> Int64 {
        try statements.countHistory.use { statement in
            statement.bind(1, user.rawValue)
            return try statement.step() ? statement.integer(0) : 0
        }
    }

    /// Writes what was added to a user's history.
    func save(_ history: HistoryOfBatch, of user: UserID) throws {
        for (key, entry) in history.entries where entry.isChanged {
            guard let summary = entry.summary else { continue }
            try (entry.isStored ? statements.updateHistory : statements.insertHistory).use { statement in
                statement.bind(key, of: user)
                statement.bind(summary)
                try statement.run()
            }
        }
    }
}

extension PreparedStatement {
    fileprivate func bind(_ key: HistoryKey, of user: UserID) {
        bind(1, user.rawValue)
        bind(2, Int64(key.part.rawValue))
        bind(3, key.name)
        bind(4, key.currency)
    }

    fileprivate func bind(_ summary: HistorySummary) {
        let occurrences = summary.occurrences
        bind(5, occurrences.count)
        bind(6, occurrences.first)
        bind(7, occurrences.last)
        bind(8, summary.revenue)
        bind(9, blob: summary.recent)
    }
}
