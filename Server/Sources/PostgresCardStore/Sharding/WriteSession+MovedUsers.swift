import CardModel
import CardStore

// Users who go to another database together. All users of the two databases wait in the meantime, so that
// a statement is about all of them where it can be.

extension WriteSession {
    /// Inserts the rows of users who come from another database, in place of what is left of an earlier attempt.
    func insert(_ users: [UserRows]) throws {
        let left = try connection.execute("DELETE FROM users WHERE id = ANY ($1)", [users.map(\.user.rawValue)])
        // safe: counts of a few users
        changes.move(Int64(users.count - left))
        for place in UserRows.tables.indices {
            guard let rows = TableRows(joining: users.map { $0.tables[place] }) else { continue }
            // What is known here of a former user of an id is older.
            try rows.insert(into: connection, replacing: rows.table == "merged_users" ? ["hash"] : [])
        }
        for rows in users {
            locked[rows.user] = nil
            try insertMoved(rows.moved, of: rows.user, from: rows.shard)
        }
    }

    /// Removes users who live in another database by now, which were copied there.
    ///
    /// Events stay in the log, and those who were merged into the users are known to be them. So do codes of their
    /// devices: the home has those of all users, wherever they live.
    func removeMoved(_ users: [UserID]) throws {
        guard !users.isEmpty else { return }
        let ids = users.map(\.rawValue)
        try connection.execute(
            """
            WITH former AS (
                DELETE FROM merged_users WHERE user_id = ANY ($1) RETURNING hash, user_id, merged_at, sample_rank
            )
            INSERT INTO departed_users (hash, user_id, merged_at, sample_rank)
            SELECT hash, user_id, merged_at, sample_rank FROM former ORDER BY hash
            ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, merged_at = excluded.merged_at
            """,
            [ids]
        )
        try connection.execute("DELETE FROM aliases WHERE user_id = ANY ($1)", [ids])
        let gone = try connection.execute("DELETE FROM users WHERE id = ANY ($1)", [ids])
        // safe: a count of a few users
        changes.move(-Int64(gone))
        for user in users { locked[user] = nil }
    }
}
