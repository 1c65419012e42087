import CardModel
import CardStore

/// The user whose events are in the log under the ID of a user who was merged into another.
///
/// There is no user of that id: a backend that creates one has the events moved first. Whoever changes such a row has
/// locked the user whose the events are.
struct MergedLogRow: Sendable {
    let former: UserID
    let user: UserID

    /// The ids under which a user's events are in the log; none for one whose events are another user's by now.
    ///
    /// - Parameter user: The parameter with the user's id.
    /// - Returns: An array in parentheses, so that the planner searches an index for each.
    static func ids(of user: String) -> String {
        """
        (ARRAY(
            SELECT \(user)::TEXT WHERE NOT EXISTS (SELECT 1 FROM merged_logs WHERE former_id = \(user))
            UNION ALL SELECT former_id::TEXT FROM merged_logs WHERE user_id = \(user)
        ))
        """
    }

    /// The log with whose its events are, as ``StoredEvent`` reads it.
    static let events = """
        SELECT e.*, m.user_id AS owner FROM events AS e LEFT JOIN merged_logs AS m ON m.former_id = e.user_id
        """

    /// Returns the ids under which a user's events are in the log, beside the user's own.
    static func formerIDs(of user: UserID, on connection: PostgresConnection) throws -> [UserID] {
        try connection.rows("SELECT former_id FROM merged_logs WHERE user_id = $1", [user.rawValue])
            .map { UserID(rawValue: try $0.text("former_id")) }
    }

    /// Returns some rows, the same ones until their events have moved.
    static func next(_ connection: PostgresConnection) throws -> [MergedLogRow] {
        try connection.rows("SELECT former_id, user_id FROM merged_logs ORDER BY former_id LIMIT 50").map { row in
            MergedLogRow(
                former: UserID(rawValue: try row.text("former_id")),
                user: UserID(rawValue: try row.text("user_id"))
            )
        }
    }
}
