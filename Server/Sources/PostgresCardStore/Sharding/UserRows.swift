package import CardModel
import CardStore

/// All rows of a user that go to another database, as they are.
///
/// Events stay in the log that they are in, of which readers of the log would get a copy a second time, or never. What
/// goes with the user are the ids of those that can still be sent again.
package struct UserRows: Sendable {
    /// The user.
    package let user: UserID
    /// The time at which the user was created.
    let createdAt: UnixTime
    /// The rows of each table, in the order in which they can be inserted.
    let tables: [TableRows]
    /// The events that can still be sent again, or on which conversions may depend.
    let moved: [MovedEvent]
    /// The number of the database in whose log they are.
    let shard: Int64
    /// The ids of the newest events, of which those are looked for that another user has too.
    let newest: [[UInt8]]

    /// The tables with the column that names the user; those that others refer to first.
    static let tables = [
        ("users", "id"), ("aliases", "user_id"), ("deliveries", "user_id"), ("test_cards", "user_id"),
        ("triggers", "user_id"), ("withholdings", "user_id"), ("histories", "user_id"), ("conversions", "user_id"),
        ("spending", "user_id"), ("merged_users", "user_id"), ("moved_events", "user_id"),
    ]
    /// The time for which a device or backend sends an event again of which it got no answer, in seconds.
    static let repetition = 604_800.0

    private static let logs = "user_id = ANY \(MergedLogRow.ids(of: "$1"))"

    /// Returns the columns of the tables, by their names.
    static func columns(on connection: PostgresConnection) throws -> [String: [TransferTable.Column]] {
        try TableRows.columns(of: tables.map(\.0), on: connection)
    }

    /// Reads all of a user at one moment; `nil` where there is none.
    init?(
        _ user: UserID,
        of shard: Int64,
        at now: UnixTime,
        on connection: PostgresConnection,
        _ known: [String: [TransferTable.Column]]? = nil
    ) throws {
        let columns = try known ?? Self.columns(on: connection)
        let queries = Self.tables.map { table, key in
            TableRows.query(table, columns[table, default: []], where: "\(key) = $1", [user.rawValue])
        }
        let logs = [
            PostgresQuery(
                """
                SELECT id, type, at, received_at, details FROM events
                WHERE \(Self.logs) AND (received_at >= $2 OR at >= $2)
                UNION
                (
                    SELECT id, type, at, received_at, details FROM events WHERE \(Self.logs)
                    ORDER BY id DESC LIMIT \(RecordingState.loggedLimit)
                )
                """,
                [user.rawValue, now - Self.repetition]
            ),
            PostgresQuery(
                """
                (SELECT id FROM events WHERE \(Self.logs) ORDER BY id DESC LIMIT \(MergeState.repeatedLimit))
                UNION (
                    SELECT id FROM moved_events WHERE user_id = $1
                    ORDER BY id DESC LIMIT \(MergeState.repeatedLimit)
                )
                """,
                [user.rawValue]
            ),
        ]
        let rows = try connection.rows(of: queries + logs)
        tables = try zip(Self.tables, rows).map { table, rows in
            try TableRows(table.0, columns[table.0, default: []], rows)
        }
        guard let own = tables.first?.named.first else { return nil }
        self.user = user
        createdAt = try own.double("created_at")
        self.shard = shard
        moved = try (rows.dropLast().last ?? []).map(MovedEvent.init)
        newest = try (rows.last ?? []).map { try $0.bytes("id") }
    }
}

/// An event of a user that is in the log of another database.
struct MovedEvent: Sendable {
    let id: [UInt8]
    let type: String
    let at: UnixTime
    /// The time at which it arrived: a copy is forgotten when the event is.
    let receivedAt: UnixTime
    let details: [UInt8]?

    init(_ row: PostgresRow) throws {
        (id, type, at) = (try row.bytes("id"), try row.text("type"), try row.double("at"))
        receivedAt = try row.double("received_at")
        details = try row.optionalBytes("details")
    }
}

extension PostgresCardStore {
    /// The number of the database among those among which users are spread.
    var shardID: Int64 { options.shard?.id ?? 0 }
}

extension WriteSession {
    /// Inserts the rows of a user who comes from another database.
    func insert(_ rows: UserRows) throws {
        let user = rows.user
        let left = try connection.execute("DELETE FROM users WHERE id = $1", [user.rawValue])
        if left == 0 { changes.move(1) }
        for table in rows.tables {
            // What is known here of a former user of an id is older.
            try table.insert(into: connection, replacing: table.table == "merged_users" ? ["hash"] : [])
        }
        locked[user] = nil
        // The user is there, and so may be hashes of others.
        absent = [:]
    }

    /// Notes events of a user that another database has in its log.
    func insertMoved(_ events: [MovedEvent], of user: UserID, from shard: Int64) throws {
        guard !events.isEmpty else { return }
        let ids = events.map(\.id)
        let known = try Set(connection.rows(SQL.knownEvents, [user.rawValue, ids]).map { try $0.bytes("id") })
        let news = events.filter { !known.contains($0.id) }
        try connection.execute(
            """
            INSERT INTO moved_events (user_id, id, type, at, received_at, details, shard)
            SELECT $1, e.id, e.type, e.at, e.received_at, e.details, $2
            FROM unnest($3::BYTEA[], $4::TEXT[], $5::DOUBLE PRECISION[], $6::DOUBLE PRECISION[], $7::TEXT[])
                AS e (id, type, at, received_at, details)
            ON CONFLICT DO NOTHING
            """,
            [
                user.rawValue, shard, news.map(\.id), news.map(\.type), news.map(\.at), news.map(\.receivedAt),
                news.map { UTF8Text($0.details) },
            ]
        )
    }

    /// Notes of those who were merged into a user that they are a user of another database.
    func noteFormerUsers(of user: UserID, as identity: UserID) throws {
        try connection.execute(
            """
            WITH former AS (DELETE FROM merged_users WHERE user_id = $1 RETURNING hash, merged_at, sample_rank)
            INSERT INTO departed_users (hash, user_id, merged_at, sample_rank)
            SELECT hash, $2, merged_at, sample_rank FROM former ORDER BY hash
            ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, merged_at = excluded.merged_at
            """,
            [user.rawValue, identity.rawValue]
        )
    }

    /// Removes a user, with what is found by the user's id alone.
    func removeRows(of user: UserID) throws {
        locked[user] = nil
        for sql in Self.ownRows { try connection.execute(sql, [user.rawValue]) }
    }

    private static let ownRows = [
        "DELETE FROM aliases WHERE user_id = $1", "DELETE FROM test_codes WHERE user_id = $1",
        "DELETE FROM users WHERE id = $1",
    ]
}
