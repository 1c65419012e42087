public import CardModel
import CardStore

extension PostgresCardStore {
    /// Adds a test card to a user's feed, in place of those that it replaces.
    public func sendTestCard(_ test: TestCard, to user: UserID, at now: UnixTime) async throws -> Bool {
        try await writer.write([user]) { session in try session.send(test, to: user, at: now) }
    }

    /// Reads the users who get test cards where a test names none.
    public func testUsers() async throws -> [TestUser] { try await read { try TestUser.all(on: $0) } }

    /// Changes the users who get test cards where a test names none.
    public func changeTestUsers(
        _ change: TestUserChange,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> TestUserOutcome {
        try await writer.writeAlone { session in
            try session.takeTurn()
            // One who is being deleted is waited for, and isn't among them.
            let outcome = change.outcome(for: try TestUser.all(on: session.connection, locking: true))
            guard case .saved(let users) = outcome else { return outcome }
            let ids = users.map(\.id.rawValue)
            try session.connection.execute("DELETE FROM test_users WHERE user_id <> ALL ($1)", [ids])
            // Those who stay keep their row, for which a deletion of theirs waits that comes now.
            try session.connection.execute(
                """
                INSERT INTO test_users (user_id, name, group_names, position)
                SELECT user_id, name, group_names, place - 1
                FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[])
                    WITH ORDINALITY AS u (user_id, name, group_names, place)
                ON CONFLICT (user_id) DO UPDATE SET
                    name = excluded.name, group_names = excluded.group_names, position = excluded.position
                """,
                [ids, users.map(\.name), users.map(\.groupsText)]
            )
            session.audit("test_users.update", of: "\(users.count)", at: now, by: actor)
            return outcome
        }
    }

    // MARK: Codes

    /// Makes a code valid, in place of an earlier one of the same device.
    public func insertTestCode(
        _ code: TestCode,
        of holder: TestCodeHolder,
        at now: UnixTime
    ) async throws -> TestCodeOutcome {
        try await insertTestCode(code, of: holder, at: now, isKnown: false)
    }

    /// Makes a code valid as ``insertTestCode(_:of:at:)`` does; `isKnown` says whether there is such a user, who may
    /// live in another database.
    package func insertTestCode(
        _ code: TestCode,
        of holder: TestCodeHolder,
        at now: UnixTime,
        isKnown: Bool
    ) async throws -> TestCodeOutcome {
        let (hash, client) = (pseudonyms.hash(of: code), holder.client.map(pseudonyms.hash(ofClient:)))
        return try await writer.writeAlone(scope: .others) { session in
            // One after the other on all nodes, so that the limits hold; a user who is deleted waits for it, or it for
            // that.
            try session.connection.execute("LOCK TABLE test_codes IN SHARE ROW EXCLUSIVE MODE")
            try TestCodeRow.prune(at: now, in: session.connection)
            if !isKnown {
                let sql = "SELECT 1 AS one FROM users WHERE id = $1"
                guard try session.connection.row(sql, [holder.user.rawValue]) != nil else { return .userUnknown }
            }
            try session.requireStaying([holder.user])
            return try TestCodeRow.insert(hash, of: holder, client: client, at: now, into: session.connection)
        }
    }

    /// Finds the user of the device that shows a code.
    public func user(ofTestCode code: TestCode, at now: UnixTime) async throws -> UserID? {
        let hash = pseudonyms.hash(of: code)
        return try await writer.writeAlone { session in
            try TestCodeRow.prune(at: now, in: session.connection)
            return try session.connection.row(
                "SELECT user_id FROM test_codes WHERE hash = $1 AND expires_at > $2",
                [hash, now]
            ).map { UserID(rawValue: try $0.text("user_id")) }
        }
    }
}

extension TestUser {
    /// Reads all test users, in their order, and keeps them from being deleted where that is said.
    fileprivate static func all(on connection: PostgresConnection, locking: Bool = false) throws -> [TestUser] {
        let sql = "SELECT user_id, name, group_names FROM test_users ORDER BY position"
        return try connection.rows(locking ? "\(sql) FOR UPDATE" : sql).map { row in
            TestUser(
                UserID(rawValue: try row.text("user_id")),
                name: try row.optionalText("name"),
                groupsText: try row.optionalText("group_names")
            )
        }
    }
}

extension WriteSession {
    /// Lets those who change the test users do so one after the other on all nodes.
    fileprivate func takeTurn() throws {
        _ = try connection.row("SELECT generation FROM store WHERE id = 1 FOR NO KEY UPDATE")
    }

    fileprivate func send(_ test: TestCard, to user: UserID, at now: UnixTime) throws -> Bool {
        guard let known = try self.user(user) else { return false }
        let version = known.nextVersion
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
