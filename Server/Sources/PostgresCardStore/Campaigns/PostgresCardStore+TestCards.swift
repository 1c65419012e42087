public import CardModel
import CardStore

extension PostgresCardStore {
    /// Adds a test card to a user's feed, in place of those that it replaces.
    public func sendTestCard(_ test: TestCard, to user: UserID, at now: UnixTime) async throws -> Bool {
        try await writer.write([user]) { session in try session.send(test, to: user, at: now) }
    }

    /// Reads the users who get test cards where a test names none.
    public func testUsers() async throws -> [UserID] {
        try await read { connection in
            try connection.rows("SELECT user_id FROM test_users ORDER BY position")
                .map { UserID(rawValue: try $0.text("user_id")) }
        }
    }

    /// Saves the users who get test cards where a test names none.
    public func saveTestUsers(_ users: [UserID], at now: UnixTime, by actor: Actor) async throws {
        try await writer.writeAlone { session in
            // One after the other on all nodes.
            _ = try session.connection.row("SELECT generation FROM store WHERE id = 1 FOR NO KEY UPDATE")
            try session.connection.execute("DELETE FROM test_users")
            try session.connection.execute(
                """
                INSERT INTO test_users (user_id, position)
                SELECT user_id, place - 1 FROM unnest($1::TEXT[]) WITH ORDINALITY AS u (user_id, place)
                ORDER BY place ON CONFLICT (user_id) DO NOTHING
                """,
                [users.map(\.rawValue)]
            )
            session.audit("test_users.update", of: "\(users.count)", at: now, by: actor)
        }
    }
}

extension WriteSession {
    fileprivate func send(_ test: TestCard, to user: UserID, at now: UnixTime) throws -> Bool {
        guard let known = try self.user(user) else { return false }
        // safe: versions go up by one
        let version = known.version + 1
        try TestCardRow.prune(of: user, before: now, in: connection)
        let cards = try TestCardRow.all(of: user, in: connection)
        for card in TestCard.replaced(by: test, among: cards, at: now) {
            try TestCardRow.replace(card, of: user, version: version, in: connection)
        }
        try TestCardRow.insert(test, of: user, version: version, into: connection)
        try setVersion(version, of: user)
        return true
    }
}
