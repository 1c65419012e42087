public import CardModel
import CardStore

extension PostgresCardStore {
    /// Forgets the events that both happened and arrived before a moment: as whole partitions where that can be, and
    /// what is older elsewhere one by one.
    public func pruneEvents(before time: UnixTime) async throws -> Int {
        try await pruneEvents(before: time, sentThrough: nil)
    }

    /// Forgets events as ``pruneEvents(before:)`` does, up to a position that the webhook has got; `nil` for what the
    /// webhook of this database says.
    package func pruneEvents(before time: UnixTime, sentThrough sent: Int64?) async throws -> Int {
        let dropped = try await partitions.run { try $0.drop(before: time, sentThrough: sent) }
        var (position, pruned): (Int64?, Int) = (0, dropped)
        // One piece after another, so that nobody waits long for the writer.
        while let start = position {
            let piece = try await writer.writeAlone { try $0.prunePiece(after: start, before: time, sentThrough: sent) }
            // safe: counts of rows
            pruned += piece.pruned
            position = piece.end
        }
        // A message is that of the newest event that was counted, and goes with it.
        try await writer.write { $0.forgetMessages(before: time) }
        try await pruneMovedEvents(before: time)
        return pruned
    }

    /// Forgets what is known of events in the logs of other databases that both happened and arrived before a moment,
    /// as the logs do.
    package func pruneMovedEvents(before time: UnixTime) async throws {
        let piece = WriteSession.pieceSize
        while try await writer.write(scope: .nobody, { try $0.pruneMovedEvents(before: time) }) == piece {}
    }

    /// Returns the present moment for what is dropped: the node's or the server's, whichever is earlier.
    package func partitionMoment() async throws -> UnixTime {
        let now = now
        return try await partitions.run { try $0.moment(now()) }
    }

    /// Drops the partitions of the log that have nothing but events from before a moment, up to a position that the
    /// webhook has got, and returns the number of events.
    package func dropPartitions(before time: UnixTime, sentThrough sent: Int64) async throws -> Int {
        try await partitions.run { try $0.drop(all: time, sentThrough: sent) }
    }

    /// Forgets the triggers that were used, came to nothing or ran out before a moment, and such broadcasts.
    public func pruneTriggers(before time: UnixTime) async throws -> Int {
        let broadcasts = try await writer.writeAlone { session in
            try session.connection.execute("DELETE FROM broadcasts WHERE until < $1", [time])
        }
        // safe: counts of rows
        return broadcasts + (try await pruneUserTriggers(before: time))
    }

    /// Forgets the triggers of users as ``pruneTriggers(before:)`` does, and leaves broadcasts.
    package func pruneUserTriggers(before time: UnixTime) async throws -> Int {
        var pruned = 0
        var user: String? = ""
        while let start = user {
            let piece = try await writer.writeAlone { try $0.pruneTriggers(after: start, before: time) }
            // safe: counts of rows
            pruned += piece.pruned
            user = piece.end
        }
        return pruned
    }
}

extension WriteSession {
    /// The number of rows that are looked at in one transaction.
    fileprivate static let pieceSize = 5_000

    fileprivate func forgetMessages(before time: UnixTime) { pending.forgetMessages(before: time) }

    /// Prunes the next piece of what is known of other databases' events, and returns the number of rows.
    ///
    /// What another transaction has locked goes with its user, or the next time.
    fileprivate func pruneMovedEvents(before time: UnixTime) throws -> Int {
        try connection.execute(
            """
            DELETE FROM moved_events AS m USING (
                SELECT user_id, id FROM moved_events WHERE received_at < $1 AND at < $1
                ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
            ) AS old
            WHERE m.user_id = old.user_id AND m.id = old.id
            """,
            [time, Self.pieceSize]
        )
    }

    /// Prunes the triggers of the next users; `end` is the last of them, or `nil` where there are no more.
    fileprivate func pruneTriggers(after user: String, before time: UnixTime) throws -> (pruned: Int, end: String?) {
        let last = try connection.row(
            """
            SELECT max(user_id) AS user_id FROM
                (SELECT user_id FROM triggers WHERE user_id > $1 ORDER BY user_id LIMIT $2) AS piece
            """,
            [user, Self.pieceSize]
        )?.optionalText("user_id")
        guard let last else { return (0, nil) }
        let pruned = try connection.execute(
            """
            DELETE FROM triggers
            WHERE user_id > $1 AND user_id <= $2 AND (until < $3 OR outcome IS NOT NULL AND at < $3)
            """,
            [user, last, time]
        )
        return (pruned, last)
    }

    /// Prunes the next piece of the log; `end` is its last position, or `nil` where nothing behind it is old enough.
    fileprivate func prunePiece(
        after start: Int64,
        before time: UnixTime,
        sentThrough sent: Int64?
    ) throws -> (pruned: Int, end: Int64?) {
        // Positions rise with the time of arrival, so the first event that arrived later ends the search.
        let piece = try connection.row(
            """
            SELECT max(position) AS last, min(received_at) AS first_at FROM
                (SELECT position, received_at FROM events WHERE position > $1 ORDER BY position LIMIT $2) AS piece
            """,
            [start, Self.pieceSize]
        )
        guard let last = try piece?.optionalInteger("last"), let firstAt = try piece?.optionalDouble("first_at"),
            firstAt < time
        else { return (0, nil) }
        guard let sent = try sent ?? EventIndex.sent(connection) else { return (0, nil) }
        let pruned = try connection.execute(
            "DELETE FROM events WHERE position > $1 AND position <= $2 AND at < $3 AND received_at < $3",
            [start, min(last, sent), time]
        )
        return (pruned, last < sent ? last : nil)
    }
}
