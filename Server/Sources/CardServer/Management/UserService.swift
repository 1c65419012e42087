package import CardModel
package import CardStore

/// Reads and deletes users, for the management API and the dashboard, and notes who reads what is known of one.
package struct UserService: Sendable {
    let services: Services

    /// Returns all that is known of a user.
    ///
    /// - Throws: `RequestError` with 404 where there is none of that id.
    package func state(of user: UserID, by caller: Caller) async throws -> UserState {
        try await services.reads.note("user.read", of: user, by: caller.actor)
        return try await state(of: user)
    }

    /// Returns the latest events of a user, in the order in which they came in, the newest first.
    package func events(of user: UserID, limit: Int, by caller: Caller) async throws -> [StoredEvent] {
        try await services.reads.note("user.read", of: user, by: caller.actor)
        return try await services.store.userEvents(of: user, limit: limit)
    }

    /// Deletes a user.
    ///
    /// - Throws: `RequestError` with 404 where there is none of that id.
    package func delete(_ user: UserID, by caller: Caller) async throws {
        guard try await services.store.deleteUser(user, at: services.clock(), by: caller.actor) else {
            throw RequestError.notFound("user")
        }
    }

    /// Returns all that is known of a user, without a note of who reads it.
    func state(of user: UserID) async throws -> UserState {
        guard let state = try await services.store.userState(of: user, including: .all) else {
            throw RequestError.notFound("user")
        }
        return state
    }
}
