import CardModel

extension WriteSession {
    /// Moves events to those whose they are, at most as many as the limit says, and returns whether there are more.
    ///
    /// - Parameters:
    ///   - logs: Whose events; those whose they are were named.
    ///   - limit: The number of events.
    /// - Returns: Whether there are more, of these users or others.
    /// - Throws: What the server says.
    func moveEvents(of logs: [MergedLogRow], limit: Int) throws -> Bool {
        var left = limit
        // safe: no more are moved than are left, and one is
        for log in logs where left > 0 { left -= max(1, try moveEvents(of: log.former, limit: left)) }
        return try connection.row(isSharded ? MergedLogRow.isLeftHere : "SELECT 1 FROM merged_logs LIMIT 1") != nil
    }

    /// Moves all events that are left under an id.
    ///
    /// - Throws: ``BusyUserError`` where another node has locked whose they are.
    func moveAllEvents(of former: UserID) throws {
        let piece = 1_000
        while try moveEvents(of: former, limit: piece, isForced: true) == piece {}
    }

    /// Moves the events with the lowest ids that are left under an id, and forgets the id after the last of them.
    ///
    /// Each is looked for by its whole key: the planner would read a whole partition for those up to a certain id.
    ///
    /// - Parameters:
    ///   - former: The id.
    ///   - limit: The number of events.
    ///   - isForced: Whether events of one who lives in another database move as well: this one's log has nothing else
    ///     of theirs that anybody changes, so that its row is all there is to lock.
    /// - Returns: The number of events.
    /// - Throws: ``BusyUserError`` where another node has locked whose they are.
    private func moveEvents(of former: UserID, limit: Int, isForced: Bool = false) throws -> Int {
        let lock = isSharded ? " FOR UPDATE" : ""
        let sql = "SELECT user_id FROM merged_logs WHERE former_id = $1\(lock)"
        guard let owner = try connection.row(sql, [former.rawValue])?.text("user_id") else { return 0 }
        let isHere = try user(UserID(rawValue: owner)) != nil
        guard isHere || isForced else { return 0 }
        let ids = try connection.rows(
            "SELECT id FROM events WHERE user_id = $1 ORDER BY id LIMIT $2",
            [former.rawValue, limit]
        ).map { try $0.bytes("id") }
        if let first = ids.first, let last = ids.last {
            // Of an event that both have, the other one's stays, and is the only one that counts.
            let repeated = try connection.rows(Self.loggedIDs, [owner, ids]).map { try $0.bytes("id") }
            if !repeated.isEmpty {
                try connection.execute(
                    "DELETE FROM events WHERE user_id = $1 AND id = ANY ($2)",
                    [former.rawValue, repeated]
                )
            }
            try connection.execute(
                "UPDATE events SET user_id = $2 WHERE user_id = $1 AND id = ANY ($3) AND id >= $4 AND id <= $5",
                [former.rawValue, owner, ids, first, last]
            )
        }
        if ids.count < limit {
            try connection.execute("DELETE FROM merged_logs WHERE former_id = $1", [former.rawValue])
        }
        return ids.count
    }

    /// The events that are in the log under an ID.
    private static let loggedIDs = """
        SELECT k.id FROM unnest($2::BYTEA[]) AS k (id)
        CROSS JOIN LATERAL (SELECT 1 FROM events WHERE user_id = $1 AND id = k.id OFFSET 0) AS e
        """
}
