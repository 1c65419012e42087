public import CardModel
import GRDB

extension SQLiteCardStore {
    /// Forgets the events that both happened and arrived before a moment.
    public func pruneEvents(before time: UnixTime) async throws -> Int {
        var (position, pruned): (Int64?, Int) = (0, 0)
        // One piece after another, so that nobody waits long for the writer.
        while let start = position {
            let piece = try await writer.write { try $0.prunePiece(after: start, before: time) }
            pruned += piece.pruned
            position = piece.end
        }
        return pruned
    }
}

extension WriteSession {
    /// How many events are looked at in one transaction.
    private static let pieceSize = 5_000

    /// Prunes the next piece of the log; `end` is its last position, or `nil` where nothing behind it is old enough.
    fileprivate func prunePiece(after start: Int64, before time: UnixTime) throws -> (pruned: Int, end: Int64?) {
        // Positions rise with the time of arrival, so the first event that arrived later ends the search.
        let piece = try Row.fetchOne(
            database,
            sql: """
                SELECT max(position) AS last, min(received_at) AS first_at FROM
                    (SELECT position, received_at FROM events WHERE position > ?1 ORDER BY position LIMIT \(Self.pieceSize))
                """,
            arguments: [start]
        )
        guard let last = piece?["last"] as Int64?, let firstAt = piece?["first_at"] as Double?, firstAt < time else {
            return (0, nil)
        }
        let sent = try WebhookRow.find(in: database)?.progress.position ?? .max
        try database.execute(
            sql: "DELETE FROM events WHERE position > ?1 AND position <= ?2 AND at < ?3 AND received_at < ?3",
            arguments: [start, min(last, sent), time]
        )
        return (database.changesCount, last < sent ? last : nil)
    }
}
