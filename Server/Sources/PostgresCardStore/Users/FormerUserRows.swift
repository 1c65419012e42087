import CardModel
import CardStore

/// The rest of users who were deleted or merged into others: keyed hashes of their IDs.
enum FormerUserRows {
    // MARK: Deleted users

    static func insertErased(_ user: UserID, at now: UnixTime, _ session: WriteSession) throws {
        try session.connection.execute(
            """
            INSERT INTO erased_users (hash, erased_at) VALUES ($1, $2)
            ON CONFLICT (hash) DO UPDATE SET erased_at = excluded.erased_at
            """,
            [session.pseudonyms.hash(of: user), now]
        )
    }

    static func isErased(_ user: UserID, _ session: WriteSession) throws -> Bool {
        try session.connection.row(
            "SELECT erased_at FROM erased_users WHERE hash = $1",
            [session.pseudonyms.hash(of: user)]
        ) != nil
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
            INSERT INTO merged_users (hash, user_id, merged_at) VALUES ($1, $2, $3)
            ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, merged_at = excluded.merged_at
            """,
            [session.pseudonyms.hash(of: user), identity.rawValue, now]
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
            INSERT INTO erased_users (hash, erased_at)
            SELECT hash, greatest($1, merged_at) FROM merged_users WHERE user_id = $2 ORDER BY hash
            ON CONFLICT (hash) DO UPDATE SET erased_at = excluded.erased_at
            """,
            [end.at, end.user.rawValue]
        )
    }
}
