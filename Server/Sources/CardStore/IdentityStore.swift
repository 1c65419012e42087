public import CardModel

/// Keeps the names by which backends know users.
public protocol IdentityStore: Sendable {
    /// Finds users, each `nil` where there is none or more than one is meant.
    func findUsers(_ users: [UserReference]) async throws -> [UserID?]

    /// Adds aliases, in order and in one transaction.
    func addAliases(_ aliases: [NewAlias], at now: UnixTime) async throws -> [NewAlias.AliasOutcome]

    /// Merges users without an id of their own into the users who they are, in order and in one transaction.
    ///
    /// The one with the id keeps its attributes and gets those that it has not. Cards, events and aliases move to it,
    /// and the other one is gone, of which the webhook gets a notice. What was counted stays counted.
    ///
    /// Of the events that both have, by their ids, those count once that are among the newest
    /// ``MergeState/repeatedLimit`` of the one who is gone.
    ///
    /// However many events there are, others don't wait for them: whoever reads them finds them where they belong at
    /// once, and ``moveMergedEvents(limit:)`` moves them.
    func identifyUsers(
        _ users: [Identification],
        at now: UnixTime
    ) async throws -> [Identification.IdentificationOutcome]

    /// Moves events in the log that are still under the ids of users who were merged into others, a few at a time.
    ///
    /// It changes nothing that can be read, and may be called by several processes at once, and again at any time.
    ///
    /// - Parameter limit: The number of events to move at most, 1 or more.
    /// - Returns: Whether there are more.
    /// - Throws: An error that keeps the store from writing.
    func moveMergedEvents(limit: Int) async throws -> Bool
}
