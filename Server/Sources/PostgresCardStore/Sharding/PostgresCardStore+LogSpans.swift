package import CardModel
package import CardStore

// The log of this database alone, with its own positions.

extension PostgresCardStore {
    /// Returns what was given out after a position, without the positions before the next event that is there.
    package func newEvents(after position: Int64) async throws -> LogSpan {
        try await read { connection in
            let end = try EventLog.end(connection)
            guard end > position else { return LogSpan(after: position, through: position) }
            let start = try EventLog.start(after: position, connection) ?? end
            return LogSpan(after: max(position, min(start, end)), through: end)
        }
    }

    /// Returns the position before the first event that is there, or the last one that was given out.
    package func logStart() async throws -> Int64 {
        try await read { connection in
            let end = try EventLog.end(connection)
            return min(try EventLog.start(after: 0, connection) ?? end, end)
        }
    }

    /// Returns the position of the first event of a part of the log, or `nil` for none.
    package func firstEvent(in span: LogSpan) async throws -> Int64? {
        guard !span.isEmpty else { return nil }
        return try await read { connection in
            guard let start = try EventLog.start(after: span.start, connection), start < span.end else { return nil }
            return start + 1
        }
    }

    /// Returns the position of the newest event of a part of the log, or `nil` for none.
    package func newestEvent(in span: LogSpan) async throws -> Int64? {
        guard !span.isEmpty else { return nil }
        return try await read { connection in
            // safe: positions that were given out
            let newest = try EventLog.newest(before: span.end + 1, connection)
            return newest > span.start ? newest : nil
        }
    }

    /// Reads the events of a part of the log that a filter leaves, the oldest first.
    package func loggedEvents(in span: LogSpan, _ filter: EventFilter, limit: Int) async throws -> EventRows {
        try await read { connection in
            try EventLog.fetch(after: span.start, through: span.end, filter, limit: limit, in: connection)
        }
    }

    /// Reads the events of a part of the log that a filter leaves, the newest first.
    package func newestEvents(
        in span: LogSpan,
        matching filter: EventLogFilter,
        limit: Int
    ) async throws -> EventRows {
        try await read { connection in
            // safe: positions that were given out
            try EventLog.search(filter, from: span.start + 1, before: span.end + 1, limit: limit, connection)
        }
    }

    /// Reads the events that this database's log has of a user, the newest first.
    ///
    /// Those of a user who has moved stay where they are, and so do those of one who was merged into a user elsewhere.
    package func loggedEvents(of user: UserID, limit: Int) async throws -> EventRows {
        try await read { try EventRows($0.rows(SQL.userEvents, [user.rawValue, limit])) }
    }

    /// Returns when the first event after a position arrived, or `nil` where there is none.
    package func arrival(after position: Int64) async throws -> UnixTime? {
        try await read { connection in
            try connection.row(
                "SELECT received_at FROM events WHERE position > $1 ORDER BY position LIMIT 1",
                [position]
            )?.double("received_at")
        }
    }
}
