import CardModel
import CardStore

/// What the events of a batch add to their user's history, so that each row is written once.
struct HistoryOfBatch {
    private(set) var additions: [HistoryKey: [(amount: Double?, at: UnixTime)]] = [:]

    /// The parts that there is something to add to.
    var parts: UserHistory.Parts { additions.keys.reduce(into: []) { $0.formUnion($1.part) } }

    mutating func add(_ event: DeviceEvent) {
        guard let key = HistoryKey(event.kind) else { return }
        var amount: Double?
        if case .purchase(let purchase) = event.kind { amount = purchase.amount }
        additions[key, default: []].append((amount, event.at))
    }
}

extension WriteSession {
    /// More names than any app gives its events, and a bound to what a device can make the store keep.
    private static let historyLimit: Int64 = 1_000

    /// Adds to a user's history.
    func save(_ history: HistoryOfBatch, of user: UserID) throws {
        for (key, additions) in history.additions { try add(additions, to: key, of: user) }
    }

    private func add(_ additions: [(amount: Double?, at: UnixTime)], to key: HistoryKey, of user: UserID) throws {
        let known: HistorySummary? = try statements.history.use { statement in
            statement.bind(key, of: user)
            guard try statement.step() else { return nil }
            return try statement.historySummary(of: key.part, from: 0)
        }
        var summary = known
        for (amount, time) in additions {
            if summary?.add(amount, at: time) == nil { summary = HistorySummary(of: amount, at: time) }
        }
        guard let summary else { return }
        let statement = known == nil ? statements.insertHistory : statements.updateHistory
        try statement.use { statement in
            statement.bind(key, of: user)
            statement.bind(summary)
            if known == nil { statement.bind(10, Self.historyLimit) }
            try statement.run()
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
