import CardModel
import CardStore
import WireJSON

extension PreparedStatement {
    /// Reads a summary: count, first and last time, revenue and the latest times, side by side from that column.
    func historySummary(of part: UserHistory.Parts, from column: Int32) throws -> HistorySummary {
        try withBlob(column + 4) { recent in
            try HistorySummary(
                of: part,
                count: integer(column),
                first: double(column + 1),
                last: double(column + 2),
                recent: recent,
                revenue: { try amount(column + 3) }
            )
        }
    }
}

extension PreparedStatement {
    /// Reads the rows of `SQL.histories`.
    func userHistory() throws -> UserHistory {
        var history = UserHistory()
        while let (key, summary) = try nextHistory() { history.take(key, summary) }
        return history
    }

    /// Reads the rows of `SQL.histories` by what they sum up.
    func historySummaries() throws -> [HistoryKey: HistorySummary] {
        var summaries: [HistoryKey: HistorySummary] = [:]
        while let (key, summary) = try nextHistory() { summaries[key] = summary }
        return summaries
    }

    private func nextHistory() throws -> (HistoryKey, HistorySummary)? {
        guard try step() else { return nil }
        let part = UserHistory.Parts(rawValue: UInt8(truncatingIfNeeded: integer(0)))
        let key = HistoryKey(part, name: text(1), currency: text(2))
        return (key, try historySummary(of: part, from: 3))
    }
}
