import CardStore

/// A position in the log of one of several databases.
package struct ShardPosition: Sendable, Hashable {
    /// The number of the shard.
    package let shard: Int64
    /// The position in its log.
    package let position: Int64

    /// Creates a position.
    package init(shard: Int, position: Int64) { (self.shard, self.position) = (Int64(shard), position) }
}

/// A part of the log of a database: what comes after a position, up to another one.
package struct LogSpan: Sendable, Hashable {
    /// The position before it.
    package let start: Int64
    /// Its last position.
    package let end: Int64

    /// Creates a part.
    package init(after start: Int64, through end: Int64) { (self.start, self.end) = (start, end) }

    /// Whether no position is in it.
    package var isEmpty: Bool { start >= end }
}

/// The extent of the index of the logs of all databases.
package struct EventIndexExtent: Sendable, Hashable {
    /// The last position that the index has given out.
    package let end: Int64
    /// The last position of each database's own log that is in it, by the numbers of the shards.
    package let ends: [Int64]
}

/// The index of the logs of all databases, which the home keeps: it gives their events positions of one order.
///
/// A row says that so many positions after one of the index are those of a database after one of its own. Positions of
/// a shard at which no event is any more when they are entered are left out. Those of the home are all in it: what was
/// there before there were shards keeps its positions, and where a backup takes the home's place, the positions go on
/// past all that were given out.
enum EventIndex {
    /// The nodes enter positions one after another, under this lock: `PLEI`.
    private static let lock: Int64 = 0x504C_4549

    private static let lastRows = """
        SELECT s.shard, i.position, i.start, i.count FROM generate_series(0::BIGINT, $1::BIGINT - 1) AS s (shard)
        CROSS JOIN LATERAL (
            SELECT position, start, count FROM event_index WHERE shard = s.shard ORDER BY start DESC LIMIT 1
        ) AS i
        """

    /// The end of the index, as its last rows of so many databases say it.
    private struct Tail {
        var end: Int64 = 0
        var ends: [Int64]
        /// The row that ends the index, with its shard.
        var last: (position: Int64, shard: Int)?

        init(shards count: Int, _ connection: PostgresConnection) throws {
            ends = Array(repeating: 0, count: count)
            for row in try connection.rows(EventIndex.lastRows, [count]) {
                let (position, length) = (try row.integer("position"), try row.integer("count"))
                let shard = try row.count("shard")
                guard ends.indices.contains(shard) else { continue }
                // safe: positions that were given out
                ends[shard] = try row.integer("start") + length
                // safe: as above
                guard position + length > end else { continue }
                // safe: positions count events up
                end = position + length
                last = (position: position, shard: shard)
            }
        }
    }

    static func extent(shards count: Int, _ connection: PostgresConnection) throws -> EventIndexExtent {
        let tail = try Tail(shards: count, connection)
        return EventIndexExtent(end: tail.end, ends: tail.ends)
    }

    /// Enters new parts of logs, unless another node has done so, and returns the last position of the index.
    ///
    /// The log of the home is entered first, and up to the end that it has now: where a backup took its place, that is
    /// beyond all positions that were given out.
    static func enter(_ news: [LogSpan], _ connection: PostgresConnection) throws -> Int64 {
        _ = try connection.row("SELECT pg_advisory_xact_lock($1) IS NULL AS is_locked", [lock])
        var tail = try Tail(shards: news.count, connection)
        let own = try EventLog.end(connection)
        for (shard, part) in news.enumerated() {
            let known = tail.ends[shard]
            let start = shard == 0 ? known : max(known, part.start)
            let end = shard == 0 ? own : part.end
            guard start < end else { continue }
            // safe: not negative, and the start is less
            let count = end - start
            if let last = tail.last, last.shard == shard, start == known {
                try connection.execute(
                    "UPDATE event_index SET count = count + $2 WHERE position = $1",
                    [last.position, count]
                )
            } else {
                try connection.execute(
                    "INSERT INTO event_index (position, shard, start, count) VALUES ($1, $2, $3, $4)",
                    [tail.end, shard, start, count]
                )
                tail.last = (position: tail.end, shard: shard)
            }
            // safe: fewer events than that were ever written
            tail.end += count
        }
        return tail.end
    }

    // MARK: Positions

    /// Returns the query for the last position of each database's own log that is at or before one of the index.
    private static func places(through position: Int64, shards count: Int) -> PostgresQuery {
        PostgresQuery(
            """
            SELECT coalesce(
                (
                    SELECT i.start + least(i.count, $2 - i.position) FROM event_index AS i
                    WHERE i.shard = s.shard AND i.position < $2 ORDER BY i.position DESC LIMIT 1
                ),
                0
            ) AS position
            FROM generate_series(0::BIGINT, $1::BIGINT - 1) AS s (shard) ORDER BY s.shard
            """,
            [count, position]
        )
    }

    /// Returns the part of each database's own log that a part of the index has.
    static func spans(of part: LogSpan, shards count: Int, _ connection: PostgresConnection) throws -> [LogSpan] {
        let places = try connection.rows(of: [
            Self.places(through: part.start, shards: count), Self.places(through: part.end, shards: count),
        ])
        // safe: a list for each query
        return try zip(places[0], places[1]).map { start, end in
            LogSpan(after: try start.integer("position"), through: try end.integer("position"))
        }
    }

    /// Returns the positions of the index that positions of databases have, `nil` for those that it hasn't.
    static func positions(of places: [ShardPosition], _ connection: PostgresConnection) throws -> [Int64?] {
        var positions = [Int64?](repeating: nil, count: places.count)
        guard !places.isEmpty else { return positions }
        let rows = try connection.rows(
            """
            SELECT k.place, i.position + k.position - i.start AS position
            FROM unnest($1::BIGINT[], $2::BIGINT[]) WITH ORDINALITY AS k (shard, position, place)
            CROSS JOIN LATERAL (
                SELECT e.position, e.start, e.count FROM event_index AS e
                WHERE e.shard = k.shard AND e.start < k.position ORDER BY e.start DESC LIMIT 1
            ) AS i
            WHERE k.position <= i.start + i.count
            """,
            [places.map(\.shard), places.map(\.position)]
        )
        for row in rows {
            let place = try row.count("place") - 1
            if positions.indices.contains(place) { positions[place] = try row.integer("position") }
        }
        return positions
    }

    /// Removes the rows of events that are gone, but for the last one of each database: they come before positions at
    /// or before which each database has no event.
    static func prune(before starts: [Int64], _ connection: PostgresConnection) throws {
        try connection.execute(
            """
            DELETE FROM event_index AS i USING unnest($1::BIGINT[]) WITH ORDINALITY AS s (start, number)
            WHERE i.shard = s.number - 1 AND i.start + i.count <= s.start
                AND EXISTS (SELECT 1 FROM event_index AS e WHERE e.shard = i.shard AND e.start > i.start)
            """,
            [starts]
        )
    }

    /// Returns the last position of this database's own log that the webhook has got; the largest number where there
    /// is no webhook, and `nil` where only the home can tell.
    static func sent(_ connection: PostgresConnection) throws -> Int64? {
        let row = try connection.row(
            """
            SELECT shard, EXISTS (SELECT 1 FROM shards) AS has_shards,
                (SELECT position FROM webhooks WHERE id = 1) AS position
            FROM store WHERE id = 1
            """
        )
        guard let row, try row.integer("shard") == 0 else { return nil }
        guard let position = try row.optionalInteger("position") else { return .max }
        guard try row.flag("has_shards") else { return position }
        return try spans(of: LogSpan(after: 0, through: position), shards: 1, connection).first?.end ?? 0
    }
}

extension PostgresCardStore {
    /// Reads how far the index of the logs of so many databases goes.
    package func eventIndexExtent(shards count: Int) async throws -> EventIndexExtent {
        try await read { try EventIndex.extent(shards: count, $0) }
    }

    /// Enters new parts of the logs of all databases in the index, and returns its last position.
    package func enterEvents(_ news: [LogSpan]) async throws -> Int64 {
        try await writer.writeAlone { try EventIndex.enter(news, $0.connection) }
    }

    /// Returns the part of each database's own log that a part of the index has.
    package func logSpans(of part: LogSpan, shards count: Int) async throws -> [LogSpan] {
        try await read { try EventIndex.spans(of: part, shards: count, $0) }
    }

    /// Returns the positions of the index that positions of databases have, `nil` for those that it hasn't.
    package func indexPositions(of places: [ShardPosition]) async throws -> [Int64?] {
        guard !places.isEmpty else { return [] }
        return try await read { try EventIndex.positions(of: places, $0) }
    }

    /// Removes the rows of the index that no event needs any more: they come before positions at or before which each
    /// database has no event.
    package func pruneEventIndex(before starts: [Int64]) async throws {
        try await writer.writeAlone { try EventIndex.prune(before: starts, $0.connection) }
    }
}
