package import CardModel

/// A user who was deleted, and when.
package struct ErasedUser: Sendable, Hashable {
    /// The user.
    package let user: UserID
    /// The time of the last deletion; what came later is of another user of that ID.
    package let erasedAt: UnixTime

    /// Creates one.
    package init(user: UserID, erasedAt: UnixTime) { (self.user, self.erasedAt) = (user, erasedAt) }
}

/// Events that a restored log has of users who were deleted since, of which another database knows.
extension PostgresCardStore {
    /// Reads the name of the history in which the log was last known to have no events of users who were deleted, `nil`
    /// for none, and that of the present history.
    ///
    /// They differ where a backup was restored, or a standby took over.
    package func erasureHistories() async throws -> (noted: UInt64?, present: UInt64) {
        try await read { connection in
            let row = try connection.row("SELECT erasures_of FROM store WHERE id = 1")
            let noted = try row?.optionalInteger("erasures_of")
            return (noted: noted.map { UInt64(bitPattern: $0) }, present: connection.history.number)
        }
    }

    /// Notes the history in which the log has nothing of users who were deleted, as long as it is the present one.
    ///
    /// - Parameter history: The name of the history, from before it was looked at.
    /// - Throws: An error that keeps the store from writing.
    package func noteErasures(in history: UInt64) async throws {
        let number = Int64(bitPattern: history)
        _ = try await writer.writeAlone(scope: .nobody) { session in
            guard session.connection.history.number == history else { return 0 }
            return try session.connection.execute(
                "UPDATE store SET erasures_of = $1 WHERE id = 1",
                [number]
            )
        }
    }

    /// Reads users who have events in the log, in the order of their ids, whichever database has them.
    package func loggedUsers(after user: UserID?, limit: Int) async throws -> [UserID] {
        let last = user?.rawValue ?? ""
        return try await longSnapshot { connection in
            try connection.rows(
                "SELECT DISTINCT user_id FROM events WHERE user_id > $1 ORDER BY user_id LIMIT $2",
                [last, limit]
            ).map { UserID(rawValue: try $0.text("user_id")) }
        }
    }

    /// Returns those of some users who were deleted, as far as this database knows.
    package func erased(among users: [UserID]) async throws -> [ErasedUser] {
        guard !users.isEmpty else { return [] }
        let hashes = users.map { pseudonyms.hash(of: $0) }
        return try await read { connection in
            try connection.rows(
                """
                SELECT c.id, f.erased_at FROM unnest($1::TEXT[], $2::BYTEA[]) AS c (id, hash)
                JOIN erased_users AS f ON f.hash = c.hash
                """,
                [users.map(\.rawValue), hashes]
            ).map { ErasedUser(user: UserID(rawValue: try $0.text("id")), erasedAt: try $0.double("erased_at")) }
        }
    }

    /// Removes the events that arrived before their users were deleted, and returns how many there were.
    package func removeEvents(of erased: [ErasedUser]) async throws -> Int {
        guard !erased.isEmpty else { return 0 }
        return try await writer.writeAlone(scope: .nobody) { session in
            let names = erased.map(\.user.rawValue)
            let count = try session.connection.execute(
                """
                DELETE FROM events AS e USING unnest($1::TEXT[], $2::DOUBLE PRECISION[]) AS u (id, erased_at)
                WHERE e.user_id = u.id AND e.received_at <= u.erased_at
                """,
                [names, erased.map(\.erasedAt)]
            )
            try session.connection.execute(
                """
                DELETE FROM merged_logs AS m WHERE former_id = ANY ($1)
                    AND NOT EXISTS (SELECT 1 FROM events AS e WHERE e.user_id = m.former_id)
                """,
                [names]
            )
            return count
        }
    }
}
