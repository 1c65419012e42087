package import CardModel

/// Removes the events of users who are about to be deleted piece by piece, where there are many.
///
/// Others write in between. Whoever asks for the deletion asks again where it doesn't come to its end.
package protocol LogShortening: Sendable {
    /// Returns the number of a user's events in the log, or the limit where there are more; 0 where there is no such
    /// user.
    func eventCount(of user: UserID, limit: Int) async throws -> Int

    /// Removes some of a user's events from the log, at most as many as the limit says, and returns how many.
    func removeEvents(of user: UserID, limit: Int) async throws -> Int
}

extension LogShortening {
    /// Removes a user's events but for a few, which the deletion removes.
    package func shortenLog(of user: UserID) async throws {
        let piece = 1_000
        guard try await eventCount(of: user, limit: piece) == piece else { return }
        while try await removeEvents(of: user, limit: piece) == piece {}
    }
}
