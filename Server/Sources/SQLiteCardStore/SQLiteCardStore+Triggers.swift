public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Keeps what a backend sent to users one by one.
    public func sendTriggers(_ send: TriggerSend) async throws -> TriggerReceipt {
        try await writer.write { try $0.trigger(send) }
    }

    /// Keeps a broadcast and gives the catalog the next generation.
    public func insertBroadcast(_ broadcast: Broadcast, by actor: Actor) async throws -> Bool {
        try await writer.write { [now] session in
            guard try BroadcastRow.insert(broadcast, into: session.database) else { return false }
            let load = try BroadcastRow.load(of: broadcast.trigger.campaign, at: now(), in: session.database)
            if let error = StoreError.tooManyBroadcasts(load) { throw error }
            _ = try session.advanceCatalog()
            let (id, at) = (broadcast.trigger.campaign.rawValue, broadcast.trigger.at)
            try session.audit("campaign.broadcast", of: id, at: at, by: actor)
            return true
        }
    }

    /// Puts off what was scheduled by that id.
    public func rescheduleTrigger(
        _ id: TriggerID,
        of campaign: CampaignID,
        due: PlannedTime,
        until: UnixTime,
        at now: UnixTime
    ) async throws -> Bool {
        try await writer.write { session in
            try session.changeSchedule(id, of: campaign, at: now) { table in
                let columns = due.columns
                return (
                    "UPDATE \(table) SET due_at = ?, due_locally = ?, until = ?",
                    [columns.seconds, columns.isLocal, until]
                )
            }
        }
    }

    /// Calls off what was scheduled by that id.
    public func unscheduleTrigger(_ id: TriggerID, of campaign: CampaignID, at now: UnixTime) async throws -> Bool {
        try await writer.write { session in
            try session.changeSchedule(id, of: campaign, at: now) { table in ("DELETE FROM \(table)", []) }
        }
    }

    /// Reads the triggers of a user and a campaign that wait no more, the newest first.
    public func pastTriggers(of user: UserID, for campaign: CampaignID, limit: Int) async throws -> [PastTrigger] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT trigger_id, at, outcome FROM triggers
                    WHERE user_id = ? AND campaign_id = ? AND outcome IS NOT NULL
                    ORDER BY at DESC, trigger_id LIMIT ?
                    """,
                arguments: [user.rawValue, campaign.rawValue, PageLimit.clamp(limit)]
            ).map(PastTrigger.init)
        }
    }

    /// Reads the last trigger of a user that waits no more, by campaign.
    public func lastTriggers(of user: UserID) async throws -> [CampaignID: PastTrigger] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT campaign_id, trigger_id, at, outcome FROM triggers
                    WHERE user_id = ? AND outcome IS NOT NULL
                    ORDER BY at DESC, trigger_id
                    """,
                arguments: [user.rawValue]
            )
            let triggers = try rows.map { (CampaignID(rawValue: try $0.text("campaign_id")), try PastTrigger($0)) }
            return Dictionary(triggers, uniquingKeysWith: { newest, _ in newest })
        }
    }
}
