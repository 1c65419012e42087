import CardModel
import CardStore
import GRDB

/// A search backwards through the log of events.
///
/// The log has an index by user and none by type or campaign, which every event would have to pay for: those are
/// looked for among a bounded number of events at a time.
struct EventQuery: Sendable {
    let filter: EventLogFilter
    let position: Int64?
    let limit: Int

    init(_ filter: EventLogFilter, before position: Int64?, limit: Int) {
        self.filter = filter
        self.position = position
        self.limit = limit
    }

    // safe: positions count events up
    func run(_ database: Database) throws -> EventLogPage {
        // A position comes from an address that anybody can type, and before it there may be none for long.
        let newest = try Int64.fetchOne(
            database,
            sql: "SELECT max(position) FROM events WHERE position < ?",
            arguments: [position ?? .max]
        )
        let end = max(0, newest ?? 0) + 1
        let start = filter.user == nil ? max(0, end - EventLogRange.window) : 0
        var sql = "\(MergedLogRow.events()) WHERE position >= :start AND position < :end"
        if filter.user != nil {
            sql = """
                \(MergedLogRow.events("INDEXED BY events_by_user"))
                WHERE e.user_id IN \(MergedLogRow.ids(of: ":user")) AND position < :end
                """
        }
        if filter.type != nil { sql += " AND type = :type" }
        if filter.campaign != nil { sql += " AND campaign_id = :campaign" }
        let known: [String: (any DatabaseValueConvertible)?] = [
            "start": start, "end": end, "user": filter.user?.rawValue, "type": filter.type,
            "campaign": filter.campaign?.rawValue, "limit": limit,
        ]
        sql += " ORDER BY position DESC LIMIT :limit"
        let arguments = StatementArguments(known.filter { sql.contains(":\($0.key)") })
        let found = try EventRows(Row.fetchAll(database, sql: sql, arguments: arguments))
        if found.count == limit { return EventLogPage(events: found.events, searchedTo: found.last) }
        return EventLogPage(events: found.events, searchedTo: start > 0 ? start : nil)
    }
}
