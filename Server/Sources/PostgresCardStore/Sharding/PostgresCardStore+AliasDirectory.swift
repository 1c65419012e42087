package import CardModel
import CardStore

/// The answer of the directory of aliases to a claim.
package enum AliasClaim: Sendable, Hashable {
    /// The alias is this user's, as far as the directory is concerned.
    case granted
    /// Another user has it, or is about to.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - isFresh: Whether it was claimed within the last minute, so that the alias may be written at any moment.
    case held(UserID, isFresh: Bool)
}

/// The directory of aliases at the home, where users are spread over several databases.
///
/// An alias is entered here before it is written with its user, so that no two users of different databases get one
/// alias. An entry without an alias is void after ``aliasClaimSeconds``.
extension PostgresCardStore {
    /// The time for which an alias may be missing that was entered, in seconds.
    static let aliasClaimSeconds = 60.0

    /// Returns the users that aliases are entered for; those without an entry are missing.
    package func aliasOwners(of aliases: [UserAlias]) async throws -> [UserAlias: UserID] {
        guard !aliases.isEmpty else { return [:] }
        return try await read { connection in
            let rows = try connection.rows(
                """
                SELECT c.label, c.name, c.user_id FROM unnest($1::TEXT[], $2::TEXT[]) AS k (label, name)
                JOIN alias_claims AS c ON c.label = k.label AND c.name = k.name
                """,
                [aliases.map(\.label), aliases.map(\.name)]
            )
            let owners = try rows.map { row in
                let alias = UserAlias(label: try row.text("label"), name: try row.text("name"))
                return (alias, UserID(rawValue: try row.text("user_id")))
            }
            return Dictionary(owners, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Enters an alias for a user, unless it is entered for another one.
    ///
    /// - Parameters:
    ///   - alias: The alias.
    ///   - user: The user.
    ///   - void: A user whose entry is known to be void, or `nil`.
    /// - Returns: Whose it is.
    /// - Throws: An error that keeps the store from writing.
    package func claimAlias(_ alias: UserAlias, for user: UserID, inPlaceOf void: UserID?) async throws -> AliasClaim {
        // The directory is about nobody's place.
        try await writer.write(names: [alias.lockName], scope: .nobody) { session in
            let row = try session.connection.changing(
                """
                INSERT INTO alias_claims (label, name, user_id, claimed_at)
                VALUES ($1, $2, $3, extract(epoch FROM clock_timestamp()))
                ON CONFLICT (label, name) DO UPDATE SET
                    user_id = CASE WHEN alias_claims.user_id = $4
                            AND alias_claims.claimed_at < excluded.claimed_at - $5
                        THEN excluded.user_id ELSE alias_claims.user_id END,
                    claimed_at = CASE WHEN alias_claims.user_id IN ($3, $4)
                            AND alias_claims.claimed_at < excluded.claimed_at - $5
                        THEN excluded.claimed_at ELSE alias_claims.claimed_at END
                RETURNING user_id, claimed_at > extract(epoch FROM clock_timestamp()) - $5 AS is_fresh
                """,
                [alias.label, alias.name, user.rawValue, void?.rawValue, Self.aliasClaimSeconds]
            ).first
            guard let row else { throw StoreError.unreadable("the directory of aliases") }
            let owner = UserID(rawValue: try row.text("user_id"))
            return owner == user ? .granted : .held(owner, isFresh: try row.flag("is_fresh"))
        }
    }

    /// Takes back an alias that was entered for a user who didn't get it.
    package func releaseAlias(_ alias: UserAlias, of user: UserID) async throws {
        _ = try await writer.write(names: [alias.lockName], scope: .nobody) { session in
            try session.connection.execute(
                "DELETE FROM alias_claims WHERE label = $1 AND name = $2 AND user_id = $3",
                [alias.label, alias.name, user.rawValue]
            )
        }
    }

    /// Enters aliases for the user who has them now since another one was merged into that user; codes of the other
    /// one's devices are void.
    package func moveAliases(of former: UserID, to user: UserID) async throws {
        try await writer.writeAlone { session in
            try session.connection.execute(
                "UPDATE alias_claims SET user_id = $2 WHERE user_id = $1",
                [former.rawValue, user.rawValue]
            )
            try session.connection.execute("DELETE FROM test_codes WHERE user_id = $1", [former.rawValue])
        }
    }

    /// Removes what the home has of a user who lived in another database and was deleted: the aliases, the
    /// codes of devices, and the place among the test users.
    package func forgetNames(of user: UserID) async throws {
        try await writer.writeAlone { session in
            for table in ["alias_claims", "test_users", "test_codes"] {
                try session.connection.execute("DELETE FROM \(table) WHERE user_id = $1", [user.rawValue])
            }
        }
    }
}
