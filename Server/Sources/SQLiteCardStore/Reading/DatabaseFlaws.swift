import CardModel
import CardStore
import GRDB

/// The flaws of the rows of a database of which every page can be read.
enum DatabaseFlaws {
    /// Databases of at most that many bytes are read as a whole.
    private static let smallBytes: Int64 = 256 << 20

    /// Says what is wrong with the rows of a database of this version, but for a count that `placard repair` corrects.
    ///
    /// - Parameter database: A whole database, such as a copy.
    /// - Returns: A sentence each; nothing of one of another version.
    /// - Throws: What keeps it from being read.
    static func all(in database: Database) throws -> [String] {
        guard try Schema.stepsDone(in: database).count == Schema.migrations.count else { return [] }
        var flaws = [try ownRow(in: database)].compactMap(\.self)
        // Of a large one, this takes as long as all of the rest.
        let bytes = try Int64.fetchOne(
            database,
            sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        )
        if let bytes, bytes <= smallBytes {
            flaws += try orphans(in: database).prefix(1).map { "\($0): the database was changed by other means." }
        }
        do {
            let found = try contents(in: database)
            if found.level == .bad { flaws.append(found.message) }
        } catch {
            flaws.append(StoreError(error).message)
        }
        return flaws
    }

    /// Says where the store's own row is missing, without which no server starts.
    static func ownRow(in database: Database) throws -> String? {
        let sql = "SELECT count(*) FROM store WHERE length(user_hash_key) = 32 AND typeof(epoch) = 'integer'"
        let rows = try Int.fetchOne(database, sql: sql) ?? 0
        return rows == 1 ? nil : "Its own row is missing or damaged."
    }

    /// Returns the number of users, and says where the database counts another.
    static func counters(in database: Database) throws -> (counted: Int64, problem: String?) {
        let kept = try StoreRow.userCount(database)
        let counted = try Int64.fetchOne(database, sql: "SELECT count(*) FROM users") ?? 0
        guard kept != counted else { return (counted, nil) }
        return (counted, "The database has \(Quantity.text(counted, "user")), but counts \(kept).")
    }

    private static let totals = [
        "delivered", "impressions", "unique_impressions", "clicks", "unique_clicks", "dismissals", "decode_errors",
        "recipients",
    ]
    /// The totals of days as they have to be: the counts of all campaigns, without their controls.
    static let countedDays = """
        SELECT local_day, \(totals.map { "sum(\($0))" }.joined(separator: ", ")) FROM counts AS c
        WHERE NOT EXISTS (
            SELECT 1 FROM controls AS o WHERE o.campaign_id = c.campaign_id AND o.variant_id = c.variant_id
        )
        GROUP BY local_day
        """
    /// The columns of ``countedDays``.
    static let dayColumns = "local_day, \(totals.joined(separator: ", "))"

    /// Returns the days whose totals aren't the sums of what was counted, the first ones first.
    static func wrongDays(in database: Database) throws -> [Int32] {
        let zero = totals.map { "\($0) = 0" }.joined(separator: " AND ")
        let kept = "SELECT \(dayColumns) FROM day_totals WHERE NOT (\(zero))"
        return try Int32.fetchAll(
            database,
            sql: """
                WITH kept (\(dayColumns)) AS (\(kept)), counted (\(dayColumns)) AS (\(countedDays))
                SELECT DISTINCT local_day FROM (
                    SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted WHERE NOT (\(zero)))
                    UNION ALL
                    SELECT * FROM (SELECT * FROM counted WHERE NOT (\(zero)) EXCEPT SELECT * FROM kept)
                )
                ORDER BY local_day
                """
        )
    }

    /// Returns the position of the last event, and the last one that the database knows to have been given out.
    static func logPosition(in database: Database) throws -> (last: Int64, kept: Int64) {
        let last = try Int64.fetchOne(database, sql: "SELECT max(position) FROM events") ?? 0
        return (last, try EventLog.end(database))
    }

    /// Looks at how much of the log of events is there.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - now: The time, or `nil` where nothing is counted, which takes time in proportion to the log.
    /// - Returns: The extent.
    /// - Throws: What keeps the database from being read.
    static func eventLog(in database: Database, at now: UnixTime?) throws -> EventLogExtent {
        let greatest = try Int64.fetchOne(database, sql: "SELECT max(position) FROM events")
        var extent = EventLogExtent(last: try EventLog.end(database), greatest: greatest)
        extent.erasures = try erasures(since: -.greatestFiniteMagnitude, in: database)
        extent.isPruned = (try? StoreRow.settings(database))?.eventDays != nil
        guard let now else { return extent }
        let day = EventLogExtent.firstDay(at: now)
        let start = Double(day) * 86_400
        extent.recentErasures = try erasures(since: start, in: database)
        extent.users = try StoreRow.userCount(database)
        extent.counted =
            try Int64.fetchOne(
                database,
                sql: "SELECT sum(impressions + clicks + decode_errors) FROM counts WHERE utc_day >= ?",
                arguments: [day]
            ) ?? 0
        let types = EventLogExtent.types.map { "'\($0)'" }.joined(separator: ", ")
        extent.kept =
            try Int64.fetchOne(
                database,
                sql: "SELECT count(*) FROM events WHERE at >= ? AND campaign_id IS NOT NULL AND type IN (\(types))",
                arguments: [start]
            ) ?? 0
        return extent
    }

    /// Counts the users who were deleted, also those who are there again, as far as the audit log knows.
    private static func erasures(since start: UnixTime, in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT max(
                    (SELECT count(*) FROM erased_users WHERE erased_at >= ?1),
                    (SELECT count(*) FROM audit WHERE action = 'user.delete' AND at >= ?1)
                )
                """,
            arguments: [start]
        ) ?? 0
    }

    /// Reads what belongs to single users, and events, row by row.
    static func rows(in database: Database) throws -> StoreFinding {
        try StoredColumn.finding(
            flaws: { try flaws(of: $0, in: database) },
            command: { _ in "placard repair --remove-unreadable" }
        )
    }

    /// Returns the rows of which a column can't be read.
    static func flaws(of column: StoredColumn, in database: Database) throws -> [StoredColumn.Flaw] {
        var flaws: [StoredColumn.Flaw] = []
        let rows = try Row.fetchCursor(database, sql: column.query)
        while flaws.count < StoredColumn.flawLimit, let row = try rows.next() {
            if let flaw = column.flaw(of: row) { flaws.append(flaw) }
        }
        return flaws
    }

    /// Names tables with rows that belong to a row that isn't there.
    static func orphans(in database: Database) throws -> [String] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT DISTINCT \"table\", parent FROM pragma_foreign_key_check LIMIT 10"
        )
        return rows.map { "\($0["table"] as String) has rows whose row of \($0["parent"] as String) is missing" }
    }

    /// Reads what lists and the catalog read, row by row.
    static func contents(in database: Database) throws -> StoreFinding {
        try StoredContents.finding(
            settings: { try StoreRow.settings(database) },
            rows: { contents, body in
                let sql = "SELECT * FROM \(contents.table) ORDER BY \(contents.name)"
                let rows = try Row.fetchCursor(database, sql: sql)
                while let row = try rows.next() { body(row) }
            },
            restoration: "placard restore FILE"
        )
    }
}
