public import CardModel

/// Keeps test cards, the users who get them, and the codes that devices show.
public protocol TestCardStore: Sendable {
    /// Adds a test card to a user's feed; those that ``TestCard/replaced(by:among:at:)`` names leave.
    ///
    /// The user's version changes.
    ///
    /// - Returns: Whether there is such a user.
    func sendTestCard(_ test: TestCard, to user: UserID, at now: UnixTime) async throws -> Bool

    /// Reads the users who get test cards where a test names none, in the order in which they were saved.
    func testUsers() async throws -> [TestUser]

    /// Changes the users who get test cards where a test names none, by what they are at that moment.
    ///
    /// One who is deleted later is no longer among them. What is saved is in the audit log, and nothing else is.
    ///
    /// - Returns: The outcome, as ``CardModel/TestUserChange/outcome(for:)`` says it.
    func changeTestUsers(_ change: TestUserChange, at now: UnixTime, by actor: Actor) async throws -> TestUserOutcome

    /// Makes a code valid for ``CardModel/TestCode/lifetime``, in place of an earlier one of the same device.
    ///
    /// A store keeps a keyed hash of the code and of the address, and removes codes that have expired. The limits of
    /// ``CardModel/TestCode`` hold for all nodes together; a user's oldest code goes for a new one.
    func insertTestCode(_ code: TestCode, of holder: TestCodeHolder, at now: UnixTime) async throws -> TestCodeOutcome

    /// Finds the user of the device that shows a code, and removes codes that have expired.
    ///
    /// - Returns: The user, or `nil` where there is no such code, or it has expired.
    func user(ofTestCode code: TestCode, at now: UnixTime) async throws -> UserID?
}
