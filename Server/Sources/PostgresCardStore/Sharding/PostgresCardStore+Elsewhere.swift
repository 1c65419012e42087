package import CardModel
import CardStore

/// The part that databases have in users who don't live there: those who were merged, moved or deleted may have left
/// events and ids.
extension PostgresCardStore {
    /// Forgets what this database has of a user who lives in another one, and is deleted there: events, also of those
    /// who were merged into the user, who are taken for deleted like the user.
    ///
    /// May be called before the deletion and after it, and again at any time.
    ///
    /// - Parameters:
    ///   - user: The user, who doesn't live here.
    ///   - now: The time.
    /// - Throws: `StoreError.misplaced` where a user here is about to be merged into the user, and leaves events
    ///   then.
    package func forgetElsewhere(_ user: UserID, at now: UnixTime) async throws {
        let piece = 1_000
        // One piece after another, so that nobody waits long for the writer.
        while try await writer.writeAlone(scope: .nobody, { try $0.removeEvents(of: user, limit: piece) }) == piece {}
        try await writer.writeAlone(scope: .nobody) { try $0.forget(user, at: now) }
    }

    /// Notes that a user was merged into another one, and that neither lives here: events that either of them left here
    /// are the identity's.
    ///
    /// May be called again at any time.
    package func followMerge(of user: UserID, into identity: UserID) async throws {
        try await writer.writeAlone(scope: .nobody) { session in
            let names = [user.rawValue, identity.rawValue]
            try session.connection.execute(WriteSession.removeRepeatedEvents, names)
            for sql in WriteSession.followed { try session.connection.execute(sql, names) }
        }
    }

    /// Reads the ids of events that this database's log has of a user or of those who were merged into the user, in
    /// order.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - id: The id after which to begin; empty for the first.
    ///   - limit: The number of ids.
    /// - Returns: The ids.
    /// - Throws: What the server says.
    package func eventIDs(of user: UserID, after id: [UInt8], limit: Int) async throws -> [[UInt8]] {
        try await read { connection in
            try connection.rows(
                """
                SELECT id FROM events WHERE user_id = ANY \(MergedLogRow.ids(of: "$1")) AND id > $2
                ORDER BY id LIMIT $3
                """,
                [user.rawValue, id, limit]
            ).map { try $0.bytes("id") }
        }
    }

    /// Returns which of some events this database's log has of a user.
    package func loggedIDs(among ids: [[UInt8]], of user: UserID) async throws -> [[UInt8]] {
        try await read { try $0.rows(SQL.knownEvents, [user.rawValue, ids]).map { try $0.bytes("id") } }
    }

    /// Removes events that another database's log has too.
    package func removeEvents(_ ids: [[UInt8]], of user: UserID) async throws {
        _ = try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute(
                "DELETE FROM events WHERE user_id = ANY \(MergedLogRow.ids(of: "$1")) AND id = ANY ($2)",
                [user.rawValue, ids]
            )
        }
    }

    /// Changes which users this database has, once no group writes that depends on it.
    ///
    /// Calls of nodes that know an earlier generation are refused from then on.
    ///
    /// - Parameter generation: The new generation; an earlier one than there is changes nothing.
    /// - Throws: An error that keeps the store from writing, or where groups take too long.
    package func movePlacement(to generation: Int64) async throws {
        try await writer.writeAlone(scope: .placement) { session in
            try session.connection.execute(
                "UPDATE store SET placement = $1 WHERE id = 1 AND placement < $1",
                [generation]
            )
            session.forgetStore()
        }
    }
}

extension WriteSession {
    /// Of an event that a user and an identity both have in this log, the one of the identity stays.
    static let removeRepeatedEvents = """
        DELETE FROM events AS e WHERE e.user_id = ANY \(MergedLogRow.ids(of: "$1")) AND EXISTS (
            SELECT 1 FROM events AS o WHERE o.user_id = ANY \(MergedLogRow.ids(of: "$2")) AND o.id = e.id
        )
        """

    /// The statements that follow a merge, with the user and the identity.
    fileprivate static let followed = [
        "UPDATE merged_logs SET user_id = $2 WHERE user_id = $1",
        """
        INSERT INTO merged_logs (former_id, user_id)
        SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM events WHERE user_id = $1)
            AND NOT EXISTS (SELECT 1 FROM users WHERE id = $1)
        ON CONFLICT DO NOTHING
        """,
        "UPDATE departed_users SET user_id = $2 WHERE user_id = $1",
    ]

    fileprivate func forget(_ user: UserID, at now: UnixTime) throws {
        let coming = try connection.row(
            "SELECT 1 AS found FROM departures WHERE identity = $1 LIMIT 1",
            [user.rawValue]
        )
        guard coming == nil else { throw StoreError.misplaced }
        try connection.execute(
            "DELETE FROM events WHERE user_id = ANY \(MergedLogRow.ids(of: "$1"))",
            [user.rawValue]
        )
        try FormerUserRows.eraseDeparted(into: user, at: now, self)
        for table in ["merged_logs", "test_codes"] {
            try connection.execute("DELETE FROM \(table) WHERE user_id = $1", [user.rawValue])
        }
    }
}
