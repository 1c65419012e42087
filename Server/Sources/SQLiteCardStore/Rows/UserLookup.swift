import CardModel
import CardStore
import GRDB

/// Finds users by what a backend calls them.
enum UserLookup {
    static let owner = "SELECT user_id FROM aliases WHERE label = ?1 AND name = ?2"

    static let byID = """
        SELECT id, coalesce(updated_at, created_at) AS updated_at, 0 AS is_claimed FROM users WHERE id = ?1
        """

    /// Reads the users who are considered for an address: one piece of an index, however many claim it.
    static let byEmail = """
        SELECT id, coalesce(updated_at, created_at) AS updated_at,
            json_extract(standard, '$.email_from_device') IS NOT NULL AS is_claimed
        FROM users
        WHERE lower(json_extract(standard, '$.email')) = lower(?1) AND json_extract(standard, '$.email') IS NOT NULL
        ORDER BY is_claimed, id LIMIT \(UserMatch.limit)
        """

    static let byPhone = """
        SELECT id, coalesce(updated_at, created_at) AS updated_at,
            json_extract(standard, '$.phone_from_device') IS NOT NULL AS is_claimed
        FROM users
        WHERE json_extract(standard, '$.phone') = ?1 AND json_extract(standard, '$.phone') IS NOT NULL
        ORDER BY is_claimed, id LIMIT \(UserMatch.limit)
        """

    /// The user that is meant, or `nil` where there is none or more than one.
    static func find(_ user: UserReference, in database: Database) throws -> UserID? {
        user.choose(from: try candidates(for: user, in: database))
    }

    /// The users that may be meant, as ``UserMatch`` limits them, the one last changed first; where user tokens are
    /// required, nobody whose device set the address.
    static func candidates(for user: UserReference, in database: Database) throws -> [UserMatch] {
        switch user {
        case .id(let id):
            return try matches(byID, [id.rawValue], in: database)
        case .alias(let alias):
            return try owner(of: alias, in: database).map { [UserMatch(id: $0, updatedAt: 0)] } ?? []
        case .email(let address, _): return try matches(byEmail, [address], in: database)
        case .phone(let number, _): return try matches(byPhone, [number], in: database)
        }
    }

    static func owner(of alias: UserAlias, in database: Database) throws -> UserID? {
        try String.fetchOne(database.cachedStatement(sql: owner), arguments: [alias.label, alias.name])
            .map(UserID.init(rawValue:))
    }

    static func aliases(of user: UserID, in database: Database) throws -> [UserAlias] {
        let statement = try database.cachedStatement(
            sql: "SELECT label, name FROM aliases WHERE user_id = ? ORDER BY label"
        )
        return try Row.fetchAll(statement, arguments: [user.rawValue]).map { row in
            UserAlias(label: try row.text("label"), name: try row.text("name"))
        }
    }

    private static func matches(
        _ sql: String,
        _ arguments: StatementArguments,
        in database: Database
    ) throws -> [UserMatch] {
        let matches = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row in
            UserMatch(
                id: UserID(rawValue: try row.text("id")),
                updatedAt: try row.double("updated_at"),
                isClaimed: try row.flag("is_claimed")
            )
        }
        guard matches.contains(where: \.isClaimed) else { return matches.considered }
        return matches.considered.found(where: try StoreRow.settings(database).userTokens)
    }
}
