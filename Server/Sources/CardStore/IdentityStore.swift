public import CardModel

/// Keeps the names by which backends know users.
public protocol IdentityStore: Sendable {
    /// Finds users, each `nil` where there is none or more than one is meant.
    func findUsers(_ users: [UserReference]) async throws -> [UserID?]

    /// Adds aliases, in order and in one transaction.
    func addAliases(_ aliases: [NewAlias], at now: UnixTime) async throws -> [NewAlias.Outcome]

    /// Merges users without an id of their own into the users who they are, in order and in one transaction.
    ///
    /// The one with the id keeps its attributes and gets those that it has not. Cards, events and aliases move to it,
    /// and the other one is gone, of which the webhook gets a notice. What was counted stays counted.
    func identifyUsers(_ users: [Identification], at now: UnixTime) async throws -> [Identification.Outcome]
}
