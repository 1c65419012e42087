public import CardModel
import CardStore
import GRDB

extension SQLiteCardStore {
    /// Forgets the events that both happened and arrived before a moment.
    public func pruneEvents(before time: UnixTime) async throws -> Int {
        var (position, pruned): (Int64?, Int) = (0, 0)
        // One piece after another, so that nobody waits long for the writer.
        while let start = position {
            let piece = try await writer.write { try $0.prunePiece(after: start, before: time) }
            // safe: counts of rows
            pruned += piece.pruned
            position = piece.end
        }
        // A message is that of the newest event that was counted, and goes with it.
        try await writer.write { session in
            try session.database.execute(
                sql: "UPDATE problems SET message = '' WHERE message != '' AND last_at < ?",
                arguments: [time]
            )
        }
        return pruned
    }

    /// Forgets the versions of campaigns from before a moment, but for the last one of then and those after it.
    public func pruneCampaignVersions(before time: UnixTime) async throws -> Int {
        try await writer.write { session in
            // A version without a text of its own has that of the one before it. One that is newer, though a clock that
            // was set back has given its successor an older time, keeps everything from its text on.
            try session.database.execute(
                sql: """
                    DELETE FROM campaign_versions AS old WHERE version < (
                        SELECT max(version) FROM campaign_versions
                        WHERE campaign_id = old.campaign_id AND content IS NOT NULL AND version < coalesce(
                            (
                                SELECT min(version) FROM campaign_versions
                                WHERE campaign_id = old.campaign_id AND at >= :time
                            ),
                            9223372036854775807
                        )
                    ) AND at < :time
                    """,
                arguments: ["time": time]
            )
            return session.database.changesCount
        }
    }

    /// Forgets the triggers that were used, came to nothing or ran out before a moment, and such broadcasts.
    public func pruneTriggers(before time: UnixTime) async throws -> Int {
        var pruned = try await writer.write { try $0.pruneBroadcasts(before: time) }
        var user: String? = ""
        while let start = user {
            let piece = try await writer.write { try $0.pruneTriggers(after: start, before: time) }
            // safe: counts rows
            pruned += piece.pruned
            user = piece.end
        }
        return pruned
    }
}

extension WriteSession {
    fileprivate func pruneBroadcasts(before time: UnixTime) throws -> Int {
        try database.execute(sql: "DELETE FROM broadcasts WHERE until < ?", arguments: [time])
        return database.changesCount
    }

    /// Prunes the triggers of the next users; `end` is the last of them, or `nil` where there are no more.
    fileprivate func pruneTriggers(after user: String, before time: UnixTime) throws -> (pruned: Int, end: String?) {
        let last = try String.fetchOne(
            database,
            sql: """
                SELECT max(user_id) FROM
                    (SELECT user_id FROM triggers WHERE user_id > ? ORDER BY user_id LIMIT \(Self.pieceSize))
                """,
            arguments: [user]
        )
        guard let last else { return (0, nil) }
        try database.execute(
            sql: """
                DELETE FROM triggers
                WHERE user_id > ?1 AND user_id <= ?2 AND (until < ?3 OR outcome IS NOT NULL AND at < ?3)
                """,
            arguments: [user, last, time]
        )
        return (database.changesCount, last)
    }

    /// The number of events that are looked at in one transaction.
    private static let pieceSize = 5_000

    /// Prunes the next piece of the log; `end` is its last position, or `nil` where nothing behind it is old enough.
    fileprivate func prunePiece(after start: Int64, before time: UnixTime) throws -> (pruned: Int, end: Int64?) {
        // Positions rise with the time of arrival, so the first event that arrived later ends the search.
        let piece = try Row.fetchOne(
            database,
            sql: """
                SELECT max(position) AS last, CAST(min(received_at) AS REAL) AS first_at FROM
                    (SELECT position, received_at FROM events WHERE position >
                        ?1 ORDER BY position LIMIT \(Self.pieceSize))
                """,
            arguments: [start]
        )
        guard let last = try piece?.optionalInteger("last"), let firstAt = try piece?.optionalDouble("first_at"),
            firstAt < time
        else { return (0, nil) }
        let sent = try WebhookRow.position(in: database) ?? .max
        try database.execute(
            sql: "DELETE FROM events WHERE position > ?1 AND position <= ?2 AND at < ?3 AND received_at < ?3",
            arguments: [start, min(last, sent), time]
        )
        return (database.changesCount, last < sent ? last : nil)
    }
}
