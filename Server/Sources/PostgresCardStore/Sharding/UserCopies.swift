package import CardModel
package import CardStore

/// A user whose rows are in a database though another one has the user, as after a backup was restored.
package struct UserCopy: Sendable, Hashable {
    /// The user.
    package let user: UserID
    /// The place of the user, in the order of `SampleRank`.
    let rank: Int64
    /// The version of the user that the database has.
    let version: Int64
    /// The time at which that user was created: a later one of the same id is another user.
    let createdAt: UnixTime
}

/// Users whose copies a database has: nobody is served by them, but they would be counted, and found, twice.
///
/// The home says which database has a user. Where a shard is restored to a moment before users had moved away, or fails
/// over to a standby that had not heard of it yet, it has them a second time.
extension PostgresCardStore {
    /// Reads users of a range that another database has, in the order of their places; without those who are about to
    /// be merged into others.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - last: The last one of those before, or `nil` to begin.
    ///   - limit: The number of users.
    /// - Returns: The users.
    /// - Throws: What the server says.
    package func copies(in range: Range<Int64>, after last: UserCopy?, limit: Int) async throws -> [UserCopy] {
        let (rank, id) = (last?.rank ?? range.lowerBound, last?.user.rawValue ?? "")
        return try await read { connection in
            try connection.rows(
                """
                SELECT id, sample_rank, version, created_at FROM users AS u
                WHERE (sample_rank, id) > ($1::BIGINT, $2::TEXT) AND sample_rank < $3
                    AND NOT EXISTS (SELECT 1 FROM departures AS d WHERE d.user_id = u.id)
                ORDER BY sample_rank, id LIMIT $4
                """,
                [rank, id, range.upperBound, limit]
            ).map { row in
                UserCopy(
                    user: UserID(rawValue: try row.text("id")),
                    rank: try row.integer("sample_rank"),
                    version: try row.integer("version"),
                    createdAt: try row.double("created_at")
                )
            }
        }
    }

    /// Returns those of some users about which this database, which has them, knows as much as the copies say: it has
    /// the user in no older version, or a later one of that id, or knows that the user was deleted or merged.
    ///
    /// Versions alone prove nothing: many events change none, and two histories count up alike where a database was
    /// restored. The caller knows that the copies are from before the users came here.
    ///
    /// - Parameters:
    ///   - copies: The copies.
    ///   - generation: The generation of what this database has, as the caller knows it.
    /// - Returns: The users; none where the database has another generation by now.
    /// - Throws: What the server says.
    package func outdated(_ copies: [UserCopy], at generation: Int64) async throws -> [UserID] {
        guard !copies.isEmpty else { return [] }
        let hashes = copies.map { pseudonyms.hash(of: $0.user) }
        return try await read { connection in
            try connection.rows(
                """
                SELECT c.id FROM unnest($1::TEXT[], $2::BIGINT[], $3::DOUBLE PRECISION[], $4::BYTEA[])
                    AS c (id, version, created_at, hash)
                LEFT JOIN users AS u ON u.id = c.id
                WHERE (SELECT placement FROM store WHERE id = 1) = $5 AND (
                    u.version >= c.version OR u.created_at > c.created_at
                    OR u.id IS NULL AND greatest(
                        (SELECT f.erased_at FROM erased_users AS f WHERE f.hash = c.hash),
                        (SELECT f.merged_at FROM merged_users AS f WHERE f.hash = c.hash),
                        (SELECT f.merged_at FROM departed_users AS f WHERE f.hash = c.hash)
                    ) >= c.created_at
                )
                """,
                [copies.map(\.user.rawValue), copies.map(\.version), copies.map(\.createdAt), hashes, generation]
            ).map { UserID(rawValue: try $0.text("id")) }
        }
    }

    /// Removes users that another database has, unless this one has got or given users away since it was looked at.
    ///
    /// - Parameters:
    ///   - users: The users.
    ///   - generation: The generation of what the database had when it was looked at.
    /// - Returns: Whether they were removed.
    /// - Throws: An error that keeps the store from writing.
    package func removeCopies(of users: [UserID], at generation: Int64) async throws -> Bool {
        try await writer.writeAlone(scope: .placement) { session in
            let known = try session.connection.row("SELECT placement FROM store WHERE id = 1 FOR UPDATE")
            guard try known?.integer("placement") == generation else { return false }
            try session.removeMoved(users)
            return true
        }
    }

    // MARK: Diagnosis

    /// The number of copies from which on they are no longer counted one by one.
    package static var countedCopies: Int64 { 100_000 }

    /// Counts the users of ranges that other databases have, in a session that can only read; ``countedCopies`` at
    /// most in each range.
    package static func countCopies(url: String, in ranges: [Range<Int64>]) async throws(StoreError) -> Int64 {
        try await onDiagnosisThread { () throws -> Int64 in
            try reading(url) { connection in
                try ranges.reduce(Int64(0)) { count, range in
                    let row = try connection.row(
                        """
                        SELECT count(*) AS count FROM (
                            SELECT 1 FROM users WHERE sample_rank >= $1 AND sample_rank < $2 LIMIT $3
                        ) AS u
                        """,
                        [range.lowerBound, range.upperBound, countedCopies]
                    )
                    // safe: at most 100,000 for each range
                    return count + (try row?.integer("count") ?? 0)
                }
            }
        }.get()
    }
}
