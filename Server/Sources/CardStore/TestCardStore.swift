public import CardModel

/// Keeps test cards and the users who get them.
public protocol TestCardStore: Sendable {
    /// Adds a test card to a user's feed; those that ``TestCard/replaced(by:among:at:)`` names leave.
    ///
    /// The user's version changes.
    ///
    /// - Returns: Whether there is such a user.
    func sendTestCard(_ test: TestCard, to user: UserID, at now: UnixTime) async throws -> Bool

    /// Reads the users who get test cards where a test names none, in the order in which they were saved.
    func testUsers() async throws -> [UserID]

    /// Saves the users who get test cards where a test names none; one who is deleted later is no longer among them.
    func saveTestUsers(_ users: [UserID], at now: UnixTime, by actor: Actor) async throws
}
