import CardModel

/// The statements about the events of users who were merged into others.
extension SQL {
    /// The newest events of a log that are in another one too.
    static let repeatedEvents = """
        \(logEntries) AS e
        WHERE user_id = ?1
            AND id >= coalesce(
                (
                    SELECT id FROM events WHERE user_id = ?1
                    ORDER BY id DESC LIMIT 1 OFFSET \(MergeState.repeatedLimit - 1)
                ),
                x''
            )
            AND EXISTS (SELECT 1 FROM events AS o WHERE o.user_id = ?2 AND o.id = e.id)
        """

    static let hasMergedLogs = "SELECT 1 FROM merged_logs LIMIT 1"

    /// The ids under which a user's events are in the log, beside the user's own.
    static let formerIDs = "SELECT former_id FROM merged_logs WHERE user_id = ?1"

    static let isLogged = "SELECT 1 FROM events WHERE user_id = ?1 AND id = ?2"
}
