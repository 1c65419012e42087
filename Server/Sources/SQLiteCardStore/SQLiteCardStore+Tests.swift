public import CardModel
import CardStore
import GRDB

extension SQLiteCardStore {
    /// Adds a test card to a user's feed, in place of those that it replaces.
    public func sendTestCard(_ test: TestCard, to user: UserID, at now: UnixTime) async throws -> Bool {
        try await writer.write { session in try session.send(test, to: user, at: now) }
    }

    /// Reads the users who get test cards where a test names none.
    public func testUsers() async throws -> [TestUser] { try await read { try TestUser.all(in: $0) } }

    /// Changes the users who get test cards where a test names none.
    public func changeTestUsers(
        _ change: TestUserChange,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> TestUserOutcome {
        try await writer.write { session in
            let outcome = change.outcome(for: try TestUser.all(in: session.database))
            guard case .saved(let users) = outcome else { return outcome }
            try session.database.execute(sql: "DELETE FROM test_users")
            for (position, user) in users.enumerated() {
                try session.database.execute(
                    sql: "INSERT INTO test_users (user_id, position, name, group_names) VALUES (?, ?, ?, ?)",
                    arguments: [user.id.rawValue, position, user.name, user.groupsText]
                )
            }
            try session.audit("test_users.update", of: "\(users.count)", at: now, by: actor)
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
        let (hash, client) = (pseudonyms.hash(of: code), holder.client.map(pseudonyms.hash(ofClient:)))
        return try await writer.write { session in
            try TestCodeRow.prune(at: now, in: session.database)
            guard try session.user(holder.user) != nil else { return .userUnknown }
            return try TestCodeRow.insert(hash, of: holder, client: client, at: now, into: session.database)
        }
    }

    /// Finds the user of the device that shows a code.
    public func user(ofTestCode code: TestCode, at now: UnixTime) async throws -> UserID? {
        let hash = pseudonyms.hash(of: code)
        return try await writer.write { session in
            try TestCodeRow.prune(at: now, in: session.database)
            return try TestCodeRow.user(hash, in: session.database)
        }
    }
}

extension TestUser {
    /// Reads all test users, in their order.
    fileprivate static func all(in database: Database) throws -> [TestUser] {
        try Row.fetchAll(database, sql: "SELECT user_id, name, group_names FROM test_users ORDER BY position").map {
            TestUser(
                UserID(rawValue: try $0.text("user_id")),
                name: try $0.optionalText("name"),
                groupsText: try $0.optionalText("group_names")
            )
        }
    }
}

extension WriteSession {
    fileprivate func send(_ test: TestCard, to user: UserID, at now: UnixTime) throws -> Bool {
        guard let known = try self.user(user) else { return false }
        let version = known.nextVersion
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
