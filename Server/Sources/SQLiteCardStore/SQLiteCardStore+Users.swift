public import CardModel
import CardStore
import GRDB

extension SQLiteCardStore {
    /// Changes users, making those that the store does not know.
    @discardableResult
    public func updateUsers(_ users: [UserUpdate], at now: UnixTime) async throws -> [UserLimits.Excess?] {
        try await writer.write { try $0.update(users, at: now) }
    }

    /// Forgets a user: profile, deliveries and events.
    public func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await shortenLog(of: user)
        return try await writer.write { try $0.deleteUser(user, at: now, by: actor) }
    }

    /// Removes the events of a user who is about to be deleted piece by piece, as far as there are many.
    ///
    /// Others write in between. Whoever asks for the deletion asks again where this doesn't come to its end.
    func shortenLog(of user: UserID) async throws {
        let piece = 1_000
        let isLong = try await read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM (SELECT 1 FROM events WHERE user_id IN \(MergedLogRow.ids(of: "?1")) LIMIT ?2)
                    WHERE EXISTS (SELECT 1 FROM users WHERE id = ?1)
                    """,
                arguments: [user.rawValue, piece]
            ) == piece
        }
        guard isLong else { return }
        while try await writer.write({ try $0.removeEvents(of: user, limit: piece) }) == piece {}
    }

    /// Returns a text that stands for a user where the id must not be kept.
    public func pseudonym(of user: UserID) -> String { pseudonyms.text(of: user) }

    /// The number of users, which is kept as they come and go.
    public func userCount() async throws -> Int64 {
        try await read(StoreRow.userCount)
    }
}
