import CardModel
import CardStore

/// The rest of users who were deleted or merged into others: keyed hashes of their IDs.
enum FormerUserRows {
    // MARK: Deleted users

    static func insertErased(_ user: UserID, at now: UnixTime, _ session: WriteSession) throws {
        try session.connection.execute(
            """
            INSERT INTO erased_users (hash, erased_at, sample_rank) VALUES ($1, $2, $3)
            ON CONFLICT (hash) DO UPDATE SET erased_at = excluded.erased_at, sample_rank = excluded.sample_rank
            """,
            [session.pseudonyms.hash(of: user), now, SampleRank.of(user)]
        )
    }

    /// Returns whether a user was deleted, or merged into another: of this database or of another one.
    static func exists(_ user: UserID, _ session: WriteSession) throws -> Bool {
        let query = session.formerUsers(among: [session.pseudonyms.hash(of: user)])
        return try session.connection.rows(of: [query]).contains { !$0.isEmpty }
    }

    static func isErased(_ user: UserID, _ session: WriteSession) throws -> Bool {
        try session.connection.row(
            "SELECT erased_at FROM erased_users WHERE hash = $1",
            [session.pseudonyms.hash(of: user)]
        ) != nil
    }

    /// Returns those of some users who were deleted at a time or later, and aren't there again.
    static func erased(among users: [UserID], since time: UnixTime, _ session: WriteSession) throws -> Set<UserID> {
        guard !users.isEmpty else { return [] }
        let pseudonyms = session.pseudonyms
        let hashes = Dictionary(users.map { (pseudonyms.hash(of: $0), $0) }, uniquingKeysWith: { one, _ in one })
        let rows = try session.connection.rows(
            "SELECT hash FROM erased_users WHERE hash = ANY ($1) AND erased_at >= $2",
            [Array(hashes.keys), time]
        )
        return Set(try rows.compactMap { hashes[try $0.bytes("hash")] })
    }

    /// Removes what is left of a user, and returns when they were deleted, or `nil` where nothing is left.
    static func removeErased(_ user: UserID, _ session: WriteSession) throws -> UnixTime? {
        guard try isErased(user, session) else { return nil }
        return try session.connection.changing(
            "DELETE FROM erased_users WHERE hash = $1 RETURNING erased_at",
            [session.pseudonyms.hash(of: user)]
        ).first?.double("erased_at")
    }

    // MARK: Merged users

    static func insertMerged(
        _ user: UserID,
        into identity: UserID,
        at now: UnixTime,
        _ session: WriteSession
    ) throws {
        try session.connection.execute(
            """
            INSERT INTO merged_users (hash, user_id, merged_at, sample_rank) VALUES ($1, $2, $3, $4)
            ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, merged_at = excluded.merged_at,
                sample_rank = excluded.sample_rank
            """,
            [session.pseudonyms.hash(of: user), identity.rawValue, now, SampleRank.of(user)]
        )
    }

    /// Returns who a user is by now who was merged away, or `nil` for another user.
    static func identity(of user: UserID, _ session: WriteSession) throws -> UserID? {
        try session.connection.row(
            "SELECT user_id FROM merged_users WHERE hash = $1",
            [session.pseudonyms.hash(of: user)]
        ).map { UserID(rawValue: try $0.text("user_id")) }
    }

    /// Removes what is left of a user, and returns when they were merged, or `nil` where nothing is left.
    static func removeMerged(_ user: UserID, _ session: WriteSession) throws -> UnixTime? {
        guard try identity(of: user, session) != nil else { return nil }
        return try session.connection.changing(
            "DELETE FROM merged_users WHERE hash = $1 RETURNING merged_at",
            [session.pseudonyms.hash(of: user)]
        ).first?.double("merged_at")
    }

    /// Takes those who became a user for deleted like that user, before the user is.
    ///
    /// Each ends as ``UserEnd/end(ofMergedAt:)`` says.
    static func eraseMerged(with end: UserEnd, _ session: WriteSession) throws {
        try session.connection.execute(
            """
            INSERT INTO erased_users (hash, erased_at, sample_rank)
            SELECT hash, greatest($1, merged_at), sample_rank FROM merged_users WHERE user_id = $2 ORDER BY hash
            ON CONFLICT (hash) DO UPDATE SET erased_at = excluded.erased_at
            """,
            [end.at, end.user.rawValue]
        )
    }
}

// MARK: Users who were merged into one of another database

extension FormerUserRows {
    /// Returns who a user of another database is who was merged away from here, or `nil` for another user.
    static func departed(_ user: UserID, _ session: WriteSession) throws -> UserID? {
        guard session.isSharded else { return nil }
        return try session.connection.row(
            "SELECT user_id FROM departed_users WHERE hash = $1",
            [session.pseudonyms.hash(of: user)]
        ).map { UserID(rawValue: try $0.text("user_id")) }
    }

    static func insertDeparted(
        _ user: UserID,
        into identity: UserID,
        at time: UnixTime,
        _ session: WriteSession
    ) throws {
        try session.connection.execute(
            """
            INSERT INTO departed_users (hash, user_id, merged_at, sample_rank) VALUES ($1, $2, $3, $4)
            ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, merged_at = excluded.merged_at,
                sample_rank = excluded.sample_rank
            """,
            [session.pseudonyms.hash(of: user), identity.rawValue, time, SampleRank.of(user)]
        )
    }

    /// Removes what is left of a user, and returns when they were merged, or `nil` where nothing is left.
    static func removeDeparted(_ user: UserID, _ session: WriteSession) throws -> UnixTime? {
        guard try departed(user, session) != nil else { return nil }
        return try session.connection.changing(
            "DELETE FROM departed_users WHERE hash = $1 RETURNING merged_at",
            [session.pseudonyms.hash(of: user)]
        ).first?.double("merged_at")
    }

    /// Takes those who were merged from here into a user for deleted like that user.
    ///
    /// Each ends as ``UserEnd/end(ofMergedAt:)`` says.
    static func eraseDeparted(into user: UserID, at time: UnixTime, _ session: WriteSession) throws {
        guard session.isSharded else { return }
        try session.connection.execute(
            """
            WITH departed AS (DELETE FROM departed_users WHERE user_id = $2 RETURNING hash, merged_at, sample_rank)
            INSERT INTO erased_users (hash, erased_at, sample_rank)
            SELECT hash, greatest($1, merged_at), sample_rank FROM departed ORDER BY hash
            ON CONFLICT (hash) DO UPDATE SET erased_at = excluded.erased_at
            """,
            [time, user.rawValue]
        )
    }
}
