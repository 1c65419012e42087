public import CardModel
import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Adds a test card to a user's feed.
    public func sendTestCard(_ test: TestCard, to user: UserID, at now: UnixTime) async throws -> Bool {
        try write { state in
            guard let known = state.users[user] else { return false }
            let version = KnownUser(version: known.version).nextVersion
            var cards = known.testCards.filter { $0.expiresAt >= now }
            let former = cards.filter(\.isReplaced).sorted { $0.sentAt > $1.sentAt }
            let left = former.dropFirst(TestCard.replacedLimit).map(\.card)
            cards.removeAll { left.contains($0.card) }
            let replaced = TestCard.replaced(by: test, among: cards, at: now)
            for index in cards.indices where replaced.contains(cards[index].card) {
                cards[index].isReplaced = true
                cards[index].changedAt = version
            }
            var added = test
            added.changedAt = version
            state.users[user]?.testCards = cards + [added]
            state.setVersion(version, of: user)
            return true
        }
    }

    /// Reads the users who get test cards where a test names none.
    public func testUsers() async throws -> [TestUser] { try read(\.testUsers) }

    /// Changes the users who get test cards where a test names none.
    public func changeTestUsers(
        _ change: TestUserChange,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> TestUserOutcome {
        try write { state in
            let outcome = change.outcome(for: state.testUsers)
            guard case .saved(let users) = outcome else { return outcome }
            state.testUsers = users
            state.appendAudit("test_users.update", of: "\(users.count)", at: now, by: actor)
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
        try write { state in
            state.testCodes.removeAll { $0.expiresAt <= now }
            guard state.users[holder.user] != nil else { return .userUnknown }
            let others = state.testCodes.filter { ByteString($0.holder.device) != ByteString(holder.device) }
            if others.contains(where: { $0.code == code }) { return .taken }
            let ends = [
                (others, TestCode.limit),
                (others.filter { holder.client != nil && $0.holder.client == holder.client }, TestCode.clientLimit),
            ].compactMap { codes, limit in codes.count < limit ? nil : codes.map(\.expiresAt).min() }
            if let end = ends.max() { return .tooMany(end - now) }
            let own = others.filter { $0.holder.user == holder.user }.sorted { $0.expiresAt < $1.expiresAt }
            let left = own.dropLast(TestCode.userLimit - 1).map(\.code)
            state.testCodes = others.filter { !left.contains($0.code) }
            let expiry = now + TestCode.lifetime
            state.testCodes.append(ReferenceTestCode(code: code, holder: holder, expiresAt: expiry))
            return .saved
        }
    }

    /// Finds the user of the device that shows a code.
    public func user(ofTestCode code: TestCode, at now: UnixTime) async throws -> UserID? {
        try write { state in
            state.testCodes.removeAll { $0.expiresAt <= now }
            return state.testCodes.first { $0.code == code }?.holder.user
        }
    }
}
