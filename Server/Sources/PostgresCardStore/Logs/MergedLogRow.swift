import CardModel
import CardStore

/// The user whose events are in the log under the ID of a user who was merged into another.
///
/// There is no user of that id: a backend that creates one has the events moved first. Whoever changes such a row has
/// locked the user whose the events are; or the row itself, where that user lives in another database.
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

    /// Whether there are logs of users who live in this database.
    static let isLeftHere = """
        SELECT 1 FROM merged_logs AS m WHERE EXISTS (SELECT 1 FROM users WHERE id = m.user_id) LIMIT 1
        """

    private static let nextHere = """
        SELECT former_id, user_id FROM merged_logs AS m WHERE EXISTS (SELECT 1 FROM users WHERE id = m.user_id)
        ORDER BY former_id LIMIT 50
        """

    /// Returns some rows, the same ones until their events have moved.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - isSharded: Whether users may live in other databases: what is theirs stays.
    /// - Returns: The rows.
    /// - Throws: What the server says.
    static func next(_ connection: PostgresConnection, isSharded: Bool) throws -> [MergedLogRow] {
        let all = "SELECT former_id, user_id FROM merged_logs ORDER BY former_id LIMIT 50"
        return try connection.rows(isSharded ? nextHere : all).map { row in
            MergedLogRow(
                former: UserID(rawValue: try row.text("former_id")),
                user: UserID(rawValue: try row.text("user_id"))
            )
        }
    }
}
