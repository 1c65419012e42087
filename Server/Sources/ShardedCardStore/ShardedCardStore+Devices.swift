public import CardModel
public import CardStore

// What a device asks or tells concerns the one database that has its user.

extension ShardedCardStore {
    /// The reads of devices, for callers that have no task.
    public var deferredReads: (any DeferredReads)? { ShardedReads(store: self) }

    /// Reads the little of a user that tells whether anything has changed.
    public func userRevision(of user: UserID) async throws -> UserRevision? {
        try await onStore(of: user) { try await $0.userRevision(of: user) }
    }

    /// Reads everything about a user that decides their feed.
    public func userState(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime
    ) async throws -> UserState? {
        try await onStore(of: user) { try await $0.userState(of: user, including: parts, dueBy: time) }
    }

    /// Saves what was decided for a user, unless the user has changed since.
    public func saveFeed(_ change: FeedChange) async throws -> UserVersion? {
        try await onStore(of: change.user) { try await $0.saveFeed(change) }
    }

    /// Notes what a device says of itself and that it was heard of.
    public func recordDevice(_ device: DeviceContext, of user: UserID, at now: UnixTime) async throws {
        try await onStore(of: user) { try await $0.recordDevice(device, of: user, at: now) }
    }

    /// Notes and counts what templates withheld from a user.
    public func recordSuppressions(_ cards: [Withholding], from user: UserID, at now: UnixTime) async throws {
        try await onStore(of: user) { try await $0.recordSuppressions(cards, from: user, at: now) }
    }

    /// Counts events, at the one who a user was merged into where that is so.
    public func recordEvents(_ batch: EventBatch) async throws -> EventOutcome {
        var batch = batch
        // Whoever a user was merged into can have been merged too.
        for _ in 0..<8 {
            let named = batch
            do {
                return try await onStore(of: named.user) { try await $0.recordEvents(named) }
            } catch let error as StoreError {
                guard let identity = error.departedIdentity else { throw error }
                batch.user = identity
            }
        }
        throw StoreError(.unavailable, "The user is being merged into another. Try again.")
    }

    // MARK: Test cards

    /// Adds a test card to a user's feed, in place of those that it replaces.
    public func sendTestCard(_ test: TestCard, to user: UserID, at now: UnixTime) async throws -> Bool {
        try await onStore(of: user) { try await $0.sendTestCard(test, to: user, at: now) }
    }

    /// Reads the users who get test cards where a test names none.
    public func testUsers() async throws -> [TestUser] { try await home.testUsers() }

    /// Changes the users who get test cards where a test names none.
    public func changeTestUsers(
        _ change: TestUserChange,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> TestUserOutcome {
        try await home.changeTestUsers(change, at: now, by: actor)
    }

    /// Makes a code valid, in place of an earlier one of the same device.
    ///
    /// Codes are at the home, so that there is one of each, and their limits hold for all users.
    public func insertTestCode(
        _ code: TestCode,
        of holder: TestCodeHolder,
        at now: UnixTime
    ) async throws -> TestCodeOutcome {
        guard try await userRevision(of: holder.user) != nil else { return .userUnknown }
        return try await home.insertTestCode(code, of: holder, at: now, isKnown: true)
    }

    /// Finds the user of the device that shows a code.
    public func user(ofTestCode code: TestCode, at now: UnixTime) async throws -> UserID? {
        try await home.user(ofTestCode: code, at: now)
    }
}
