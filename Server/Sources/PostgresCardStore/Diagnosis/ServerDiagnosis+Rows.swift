import CardModel
import CardStore

// What is found in the rows of users and events, and in what is summed up of them.
extension ServerDiagnosis {
    /// The number of rows that are read at a time.
    private static let page = 1_000
    /// The most bytes of the log of events that are counted unasked.
    private static let countedBytes: Int64 = 256 << 20
    private static let totals = [
        "delivered", "impressions", "unique_impressions", "clicks", "unique_clicks", "dismissals", "decode_errors",
        "recipients",
    ]

    /// Reads what belongs to single users, and events, row by row.
    func rows() throws -> StoreFinding {
        // All of it takes minutes where there is much.
        try connection.simple("SET LOCAL statement_timeout = 0")
        return try StoredColumn.finding(flaws: flaws) { StoreFinding.psql($0) }
    }

    private func flaws(of column: StoredColumn) throws -> [StoredColumn.Flaw] {
        var flaws: [StoredColumn.Flaw] = []
        // A name of its own: statements are prepared once, with the columns that they had then.
        let name = "flaws_\(column.table)_\(column.columns.joined(separator: "_"))"
        try connection.simple("DECLARE \(name) NO SCROLL CURSOR FOR \(column.query)")
        while flaws.count < StoredColumn.flawLimit {
            let rows = try connection.rows("FETCH \(Self.page) FROM \(name)")
            flaws += rows.compactMap { column.flaw(of: $0) }
            if rows.count < Self.page { break }
        }
        try connection.simple("CLOSE \(name)")
        return flaws
    }

    /// Compares the totals of days with the counts of all campaigns, without their controls.
    func dayTotals() throws -> StoreFinding {
        let sums = Self.totals.map { "sum(\($0))::BIGINT AS \($0)" }.joined(separator: ", ")
        let isZero = Self.totals.map { "sum(\($0)) = 0" }.joined(separator: " AND ")
        let counted = """
            SELECT local_day, \(sums) FROM counts AS c
            WHERE NOT EXISTS (
                SELECT 1 FROM controls AS o WHERE o.campaign_id = c.campaign_id AND o.variant_id = c.variant_id
            )
            GROUP BY local_day
            """
        let kept = "SELECT local_day, \(sums) FROM day_totals GROUP BY local_day"
        let isCounted = "HAVING NOT (\(isZero))"
        // One statement sees both as they were at one moment.
        let days = try connection.rows(
            """
            SELECT DISTINCT local_day FROM (
                (\(kept) \(isCounted) EXCEPT \(counted) \(isCounted))
                UNION ALL (\(counted) \(isCounted) EXCEPT \(kept) \(isCounted))
            ) AS days
            ORDER BY local_day
            """
        )
        guard let first = try days.first?.day("local_day") else {
            return .good("day totals", "those of every day are its counts")
        }
        let more = days.count > 1 ? " and \(Quantity.text(days.count - 1, "more day"))" : ""
        let names = Self.totals.joined(separator: ", ")
        // Whoever counts waits for it, or is waited for.
        let repair = """
            BEGIN; LOCK TABLE counts, day_totals IN EXCLUSIVE MODE; DELETE FROM day_totals; \
            INSERT INTO day_totals (slot, local_day, \(names)) SELECT 0, * FROM (\(counted)) AS days; COMMIT
            """
        let message = "The totals of \(first)\(more) aren't the sums of what was counted."
        return .bad("day totals", message, StoreFinding.psql(repair.replacing("\n", with: " ")))
    }

    /// Compares the log of events with what was given out and counted.
    func events() throws -> StoreFinding {
        let greatest = try EventLog.newest(connection)
        var extent = EventLogExtent(last: try EventLog.end(connection), greatest: greatest > 0 ? greatest : nil)
        extent.erasures = try erasures(since: -.greatestFiniteMagnitude)
        extent.isPruned = (try? StoreRow.settings(connection))?.eventDays != nil
        let sizes = "SELECT coalesce(sum(pg_relation_size(relid)), 0)::BIGINT AS bytes FROM pg_partition_tree('events')"
        if try isFull || row(sizes).integer("bytes") <= Self.countedBytes { try count(&extent) }
        return extent.finding(restoration: Self.restoration)
    }

    private func count(_ extent: inout EventLogExtent) throws {
        // Of a long log that takes minutes.
        try connection.simple("SET LOCAL statement_timeout = 0")
        let day = EventLogExtent.firstDay(at: now)
        let start = Double(day) * 86_400
        extent.recentErasures = try erasures(since: start)
        extent.users = try StoreRow.userCount(connection)
        // One statement sees both as they were at one moment.
        let row = try connection.row(
            """
            SELECT
                (
                    SELECT coalesce(sum(impressions + clicks + decode_errors), 0)::BIGINT FROM counts
                    WHERE utc_day >= $1
                ) AS counted,
                (
                    SELECT count(*) FROM events
                    WHERE at >= $2 AND campaign_id IS NOT NULL AND type = ANY ($3::TEXT[])
                ) AS kept
            """,
            [day, start, EventLogExtent.types]
        )
        extent.counted = try row?.integer("counted")
        extent.kept = try row?.integer("kept") ?? 0
    }

    /// Counts the users who were deleted, also those who are there again, as far as the audit log knows.
    private func erasures(since start: Double) throws -> Int64 {
        try connection.row(
            """
            SELECT greatest(
                (SELECT count(*) FROM erased_users WHERE erased_at >= $1),
                (SELECT count(*) FROM audit WHERE action = 'user.delete' AND at >= $1)
            ) AS erasures
            """,
            [start]
        )?.integer("erasures") ?? 0
    }
}
