public import CardModel
import CardStore
import GRDB

extension SQLiteCardStore {
    /// Adds a test card to a user's feed, in place of those that it replaces.
    public func sendTestCard(_ test: TestCard, to user: UserID, at now: UnixTime) async throws -> Bool {
        try await writer.write { session in try session.send(test, to: user, at: now) }
    }

    /// Reads the users who get test cards where a test names none.
    public func testUsers() async throws -> [UserID] {
        try await read { database in
            try String.fetchAll(database, sql: "SELECT user_id FROM test_users ORDER BY position").map(UserID.init)
        }
    }

    /// Saves the users who get test cards where a test names none.
    public func saveTestUsers(_ users: [UserID], at now: UnixTime, by actor: Actor) async throws {
        try await writer.write { session in
            try session.database.execute(sql: "DELETE FROM test_users")
            for (position, user) in users.enumerated() {
                try session.database.execute(
                    sql: "INSERT OR IGNORE INTO test_users (user_id, position) VALUES (?, ?)",
                    arguments: [user.rawValue, position]
                )
            }
            try session.audit("test_users.update", of: "\(users.count)", at: now, by: actor)
        }
    }
}

extension WriteSession {
    fileprivate func send(_ test: TestCard, to user: UserID, at now: UnixTime) throws -> Bool {
        guard let known = try self.user(user) else { return false }
        // safe: versions go up by one
        let version = known.version + 1
        try TestCardRow.prune(of: user, before: now, in: database)
        let cards = try TestCardRow.all(of: user, in: database)
        for card in TestCard.replaced(by: test, among: cards, at: now) {
            try TestCardRow.replace(card, of: user, version: version, in: database)
        }
        try TestCardRow.insert(test, of: user, version: version, into: database)
        try setVersion(version, of: user)
        return true
    }
}
