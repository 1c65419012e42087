import CardModel
import CardStore

extension WriteSession {
    /// Locks a user's row and returns it, or `nil` where there is none.
    ///
    /// - Throws: ``BusyUserError`` where another node has locked a user that the group didn't name;
    ///   `StoreError.misplaced` for such a one who is on the way to another database.
    func lockedRow(of user: UserID) throws -> PostgresRow? {
        if absent[user] != nil { return nil }
        if named.contains(user) { return try connection.row(SQL.user, [user.rawValue]) }
        do {
            let row = try connection.row(SQL.user + " NOWAIT", [user.rawValue])
            if row != nil { try requireStaying([user]) }
            return row
        } catch let failure as PostgresError where failure.state == "55P03" {
            throw BusyUserError(user: user)
        }
    }
}
