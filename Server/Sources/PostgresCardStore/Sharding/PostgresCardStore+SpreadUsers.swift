package import CardModel
import CardStore

/// The users that a database found by a text inside of what is known of them.
package struct InsideSearch: Sendable {
    /// The users, by id.
    package var users: [UserProfile]
    /// The id up to which the search looked, or `nil` where it looked at all users.
    package var searchedTo: String?

    /// Creates what was found.
    package init(users: [UserProfile], searchedTo: String?) { (self.users, self.searchedTo) = (users, searchedTo) }
}

// The users of this database alone, where others have users as well.

extension PostgresCardStore {
    /// Reads the settings, without the rest of the catalog.
    package func storedSettings() async throws -> Settings { try await read { try StoreRow.settings($0) } }

    /// Returns a user's folded address, or `nil` where this database has none.
    package func foldedAddress(of user: UserID) async throws -> String? {
        try await read { try UserQuery.address(of: user, $0) }
    }

    /// Reads users as ``listUsers(startingWith:after:limit:)`` does.
    ///
    /// - Parameters:
    ///   - text: The text that the id or address begins with.
    ///   - place: The last user of the page before, who may be in another database.
    ///   - address: That user's folded address, or `nil` for none.
    ///   - limit: The number of users.
    ///   - isLong: Whether it is a part of a search, on connections that no device waits for.
    /// - Returns: The users.
    /// - Throws: What the server says.
    package func users(
        beginningWith text: String,
        after place: UserID?,
        address: String?,
        limit: Int,
        isLong: Bool
    ) async throws -> [UserProfile] {
        let query = UserQuery(text: text, place: place, limit: limit, address: address)
        let body: @Sendable (PostgresConnection) throws -> [UserProfile] = { connection in
            try UserProfile.read(query.run(connection), from: connection)
        }
        return try await isLong ? longSnapshot(body) : snapshot(body)
    }

    /// Searches users who have a text inside, and whose id and address don't begin with it.
    package func users(withInside text: String, after place: String?, limit: Int) async throws -> InsideSearch {
        try await longSnapshot { connection in
            let found = try UserSearch(text: text, limit: limit).run(after: place, connection)
            let users = try UserProfile.read(found.ids, from: connection)
            return InsideSearch(users: users, searchedTo: found.searchedTo)
        }
    }

    /// Returns the users that references may mean, as ``UserMatch`` limits them, also by an address that a device set:
    /// for each the one last changed first.
    package func userMatches(of users: [UserReference]) async throws -> [[UserMatch]] {
        guard !users.isEmpty else { return [] }
        return try await read { connection in
            try users.map { try UserLookup.matches(of: $0, on: connection) }
        }
    }

    /// Adds up what the log of this database has of users.
    package func activity(of users: [UserID]) async throws -> [UserID: UserActivity] {
        guard !users.isEmpty else { return [:] }
        return try await longSnapshot { connection in
            try users.reduce(into: [:]) { $0[$1] = try UserActivity(of: $1, on: connection) }
        }
    }

    /// Returns whether the log has events that are to be moved to users of this database.
    package func hasMergedEvents() async throws -> Bool {
        let isSharded = isSharded
        return try await read { try !MergedLogRow.next($0, isSharded: isSharded).isEmpty }
    }
}
