import CardModel
import CardStore

/// A search backwards through the log of events.
///
/// The log has an index by user and none by type or campaign, which every event would have to pay for: those are
/// looked for among a bounded number of events at a time.
struct EventQuery: Sendable {
    let filter: EventLogFilter
    let position: Int64?
    let limit: Int

    // safe: positions count events up
    func run(_ connection: PostgresConnection) throws -> EventLogPage {
        // A position comes from an address that anybody can type, and before it there may be none for long.
        let end = max(0, try EventLog.newest(before: position ?? .max, connection)) + 1
        let start = filter.user == nil ? max(0, end - EventLogRange.window) : 0
        let found = try EventLog.search(filter, from: start, before: end, limit: limit, connection)
        if found.count == limit { return EventLogPage(events: found.events, searchedTo: found.last) }
        return EventLogPage(events: found.events, searchedTo: start > 0 ? start : nil)
    }
}

/// The log of events, read by position.
enum EventLog {
    /// The position of the newest event before a position, or 0.
    static func newest(before position: Int64 = .max, _ connection: PostgresConnection) throws -> Int64 {
        let sql = "SELECT coalesce(max(position), 0) AS position FROM events WHERE position < $1"
        return try connection.row(sql, [position])?.integer("position") ?? 0
    }

    /// The position before the next event that is still there, or `nil` where none is.
    static func start(after position: Int64, _ connection: PostgresConnection) throws -> Int64? {
        let row = try connection.row("SELECT min(position) - 1 AS position FROM events WHERE position > $1", [position])
        return try row?.optionalInteger("position")
    }

    /// The last position that was given out, also where its event was forgotten since.
    static func end(_ connection: PostgresConnection) throws -> Int64 {
        try connection.row("SELECT position FROM log_head WHERE id = 1")?.integer("position") ?? 0
    }

    /// Reads the events from a position on and before another one that a filter leaves, the newest first.
    static func search(
        _ filter: EventLogFilter,
        from start: Int64,
        before end: Int64,
        limit: Int,
        _ connection: PostgresConnection
    ) throws -> EventRows {
        let user = filter.user == nil ? "$3::TEXT IS NULL" : "e.user_id = ANY \(MergedLogRow.ids(of: "$3"))"
        let rows = try connection.rows(
            """
            \(MergedLogRow.events)
            WHERE position >= $1 AND position < $2 AND \(user)
                AND ($4::TEXT IS NULL OR type = $4) AND ($5::TEXT IS NULL OR campaign_id = $5)
            ORDER BY position DESC LIMIT $6
            """,
            [start, end, filter.user?.rawValue, filter.type, filter.campaign?.rawValue, limit]
        )
        return try EventRows(rows)
    }

    static func fetch(
        after position: Int64,
        through end: Int64,
        _ filter: EventFilter,
        limit: Int,
        in connection: PostgresConnection
    ) throws -> EventRows {
        let rows = try connection.rows(
            """
            \(MergedLogRow.events)
            WHERE position > $1 AND position <= $2 AND (cardinality($3::TEXT[]) = 0 OR type = ANY ($3))
                AND ($4::TEXT IS NULL OR campaign_id = $4) AND ($5::DOUBLE PRECISION IS NULL OR at >= $5)
                AND ($6::DOUBLE PRECISION IS NULL OR at < $6)
            ORDER BY position LIMIT $7
            """,
            [position, end, filter.types.sorted(), filter.campaign?.rawValue, filter.from, filter.until, limit]
        )
        return try EventRows(rows)
    }
}
