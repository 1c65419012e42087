public import CardModel

/// Keeps what backends and events trigger for users, and broadcasts.
public protocol TriggerStore: Sendable {
    /// Keeps what a backend sent to users one by one, in one transaction.
    ///
    /// A user who has got a trigger of that id for the campaign before, used or not, or a card by a broadcast of it,
    /// gets nothing. The version of each user who gets something changes.
    ///
    /// - Throws: `StoreError.limitReached` where more would wait for one of them than ``Trigger/TriggerLoad`` allows;
    ///   nobody gets anything then.
    func sendTriggers(_ send: TriggerSend) async throws -> TriggerReceipt

    /// Adds a broadcast and gives the catalog the next generation. Takes the same time for any number of users.
    ///
    /// - Returns: Whether it was added: `false` where the campaign has had a broadcast of that id before.
    /// - Throws: `StoreError.limitReached` where more would wait than ``Broadcast/BroadcastLoad`` allows; nothing
    ///   is added then.
    func insertBroadcast(_ broadcast: Broadcast, by actor: Actor) async throws -> Bool

    /// Puts off what was scheduled by that id, where it is not due yet and its card not given.
    ///
    /// - Returns: Whether there was such a send.
    func rescheduleTrigger(
        _ id: TriggerID,
        of campaign: CampaignID,
        due: PlannedTime,
        until: UnixTime,
        at now: UnixTime
    ) async throws -> Bool

    /// Cancels what was scheduled by that id, where it is not due yet and its card not given.
    ///
    /// - Returns: Whether there was such a send.
    func unscheduleTrigger(_ id: TriggerID, of campaign: CampaignID, at now: UnixTime) async throws -> Bool

    /// Reads the triggers of a user and a campaign that no longer wait, the newest first: `limit` at most, 1 to 1000.
    func pastTriggers(of user: UserID, for campaign: CampaignID, limit: Int) async throws -> [PastTrigger]

    /// Reads the last trigger of a user that no longer waits, by campaign.
    func lastTriggers(of user: UserID) async throws -> [CampaignID: PastTrigger]

    /// Removes the triggers that were used, failed or expired before a moment, and such broadcasts.
    ///
    /// The cards that they gave stay. A send of an id that was removed counts as a new one. Others may read and write
    /// at the same time.
    ///
    /// - Returns: How many were removed.
    func pruneTriggers(before time: UnixTime) async throws -> Int
}

/// A trigger that no longer waits.
public struct PastTrigger: Sendable, Hashable {
    /// The trigger.
    public var trigger: TriggerID
    /// The time of the event.
    public var at: UnixTime
    /// The result.
    public var outcome: Trigger.TriggerOutcome

    /// Creates a past trigger.
    public init(trigger: TriggerID, at: UnixTime, outcome: Trigger.TriggerOutcome) {
        self.trigger = trigger
        self.at = at
        self.outcome = outcome
    }
}
