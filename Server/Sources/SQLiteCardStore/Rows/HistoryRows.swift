import CardModel
import CardStore
import Foundation
import GRDB
import WireJSON

/// Makes the rows of `histories` from the log of events, where they were not kept as the events came.
enum HistoryRows {
    /// Sums up the events of every user.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - isBinary: Whether amounts are binary fractions still, which a migration to an older schema needs.
    /// - Throws: What the database throws.
    static func make(in database: Database, isBinary: Bool = false) throws {
        try database.execute(sql: "DELETE FROM histories")
        let events = try Row.fetchCursor(
            database,
            sql: """
                SELECT user_id, type, at, received_at, details FROM events
                WHERE type IN ('custom', 'purchase', 'session_start') AND user_id IN (SELECT id FROM users)
                ORDER BY user_id
                """
        )
        var owner = ""
        var histories: [HistoryKey: HistorySummary] = [:]
        func finish() throws {
            for (key, summary) in histories { try insert(key, summary, of: owner, into: database, isBinary) }
            histories = [:]
        }
        while let event = try events.next() {
            let next: String = event["user_id"]
            if !next.hasSameBytes(as: owner) {
                try finish()
                owner = next
            }
            guard let (key, amount) = entry(event) else { continue }
            let time: Double = event["at"]
            if histories[key]?.add(amount, at: time, now: event["received_at"]) == nil {
                histories[key] = HistorySummary(of: amount, at: time)
            }
        }
        try finish()
    }

    private static func entry(_ event: Row) -> (key: HistoryKey, amount: Amount?)? {
        let details = (event["details"] as String?).flatMap { try? JSONValue(parsing: $0) } ?? .null
        switch event["type"] as String {
        case "custom": return details["name"]?.string.map { (HistoryKey(.events, name: $0), nil) }
        case "session_start": return (HistoryKey(.sessions), nil)
        default:
            guard let product = details["product_id"]?.string, let currency = details["currency"]?.string else {
                return nil
            }
            let amount = (details["price"]?.roundedDecimal ?? 0) * (details["quantity"]?.integer ?? 1)
            return (HistoryKey(.purchases, name: product, currency: currency), amount)
        }
    }

    private static func insert(
        _ key: HistoryKey,
        _ summary: HistorySummary,
        of user: String,
        into database: Database,
        _ isBinary: Bool
    ) throws {
        let occurrences = summary.occurrences
        let amounts: (sum: any DatabaseValueConvertible, recent: [UInt8]) =
            isBinary
            ? (summary.revenue.double, BinaryAmounts.encode(summary))
            : (summary.revenue.description, summary.recent)
        try database.execute(
            sql: "INSERT INTO histories VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                user, Int64(key.part.rawValue), key.name, key.currency, occurrences.count, occurrences.first,
                occurrences.last, amounts.sum, Data(amounts.recent),
            ]
        )
    }
}
