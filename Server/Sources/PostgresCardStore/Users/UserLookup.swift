import CardModel
import CardStore

/// Finds users by what a backend calls them.
enum UserLookup {
    static let owner = "SELECT user_id FROM aliases WHERE label = $1 AND name = $2"

    static let byID = """
        SELECT id, coalesce(updated_at, created_at) AS updated_at, FALSE AS is_claimed FROM users WHERE id = $1
        """

    /// Reads the users who are considered for an address: one piece of an index, however many claim it.
    static let byEmail = """
        SELECT id, coalesce(updated_at, created_at) AS updated_at, \(isMarked("email_from_device")) AS is_claimed
        FROM users WHERE folded_email = $1
        ORDER BY is_claimed, id LIMIT \(UserMatch.limit)
        """

    static let byPhone = """
        SELECT id, coalesce(updated_at, created_at) AS updated_at, \(isMarked("phone_from_device")) AS is_claimed
        FROM users WHERE phone = $1
        ORDER BY is_claimed, id LIMIT \(UserMatch.limit)
        """

    /// Whether the attributes have a mark: no text among them has quotation marks that aren't escaped, and the writer
    /// puts no white space between.
    private static func isMarked(_ name: String) -> String { "strpos(standard, '\"\(name)\":true') > 0" }

    /// Returns the user that is meant, or `nil` where there is none or more than one.
    static func find(_ user: UserReference, on connection: PostgresConnection) throws -> UserID? {
        user.choose(from: try candidates(for: user, on: connection))
    }

    /// Returns the users that may be meant, as ``UserMatch`` limits them, the one last changed first; where user tokens
    /// are required, nobody whose device set the address.
    static func candidates(for user: UserReference, on connection: PostgresConnection) throws -> [UserMatch] {
        let matches = try matches(of: user, on: connection)
        guard matches.contains(where: \.isClaimed) else { return matches }
        return matches.found(where: try StoreRow.settings(connection).userTokens)
    }

    /// Returns the users that may be meant, also by an address that a device set, the one last changed first.
    static func matches(of user: UserReference, on connection: PostgresConnection) throws -> [UserMatch] {
        switch user {
        case .id(let id): try matches(byID, id.rawValue, on: connection)
        case .alias(let alias):
            try owner(of: alias, on: connection).map { [UserMatch(id: $0, updatedAt: 0)] } ?? []
        case .email(let address, _): try matches(byEmail, SearchText.lowercased(address), on: connection)
        case .phone(let number, _): try matches(byPhone, number, on: connection)
        }
    }

    static func owner(of alias: UserAlias, on connection: PostgresConnection) throws -> UserID? {
        try connection.row(owner, [alias.label, alias.name]).map { UserID(rawValue: try $0.text("user_id")) }
    }

    static func aliases(of user: UserID, on connection: PostgresConnection) throws -> [UserAlias] {
        try connection.rows("SELECT label, name FROM aliases WHERE user_id = $1 ORDER BY label", [user.rawValue])
            .map { UserAlias(label: try $0.text("label"), name: try $0.text("name")) }
    }

    private static func matches(_ sql: String, _ value: String, on connection: PostgresConnection) throws -> [UserMatch]
    {
        try connection.rows(sql, [value]).map { row in
            UserMatch(
                id: UserID(rawValue: try row.text("id")),
                updatedAt: try row.double("updated_at"),
                isClaimed: try row.flag("is_claimed")
            )
        }
        .considered
    }
}
