public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Keeps what a backend sent to users one by one.
    public func sendTriggers(_ send: TriggerSend) async throws -> TriggerReceipt {
        try await writer.write(send.recipients.map(\.user)) { try $0.trigger(send) }
    }

    /// Puts off what was scheduled by that id.
    public func rescheduleTrigger(
        _ id: TriggerID,
        of campaign: CampaignID,
        due: PlannedTime,
        until: UnixTime,
        at now: UnixTime
    ) async throws -> Bool {
        try await writer.writeAlone(scope: .others) { session in
            try session.changeSchedule(id, of: campaign, at: now) { table in
                let columns = due.columns
                return (
                    "UPDATE \(table) SET due_at = $6, due_locally = $7, until = $8",
                    [columns.seconds, columns.isLocal, until]
                )
            }
        }
    }

    /// Calls off what was scheduled by that id.
    public func unscheduleTrigger(_ id: TriggerID, of campaign: CampaignID, at now: UnixTime) async throws -> Bool {
        try await writer.writeAlone(scope: .others) { session in
            try session.changeSchedule(id, of: campaign, at: now) { table in ("DELETE FROM \(table)", []) }
        }
    }

    /// Reads the triggers of a user and a campaign that wait no more, the newest first.
    public func pastTriggers(of user: UserID, for campaign: CampaignID, limit: Int) async throws -> [PastTrigger] {
        let fence = readFence
        return try await read { connection in
            let values: [any PostgresEncodable] = [user.rawValue, campaign.rawValue, PageLimit.clamp(limit)]
            return try connection.rows(SQL.pastTriggers, values, fence).map(PastTrigger.init)
        }
    }

    /// Reads the last trigger of a user that waits no more, by campaign.
    public func lastTriggers(of user: UserID) async throws -> [CampaignID: PastTrigger] {
        let fence = readFence
        return try await read { connection in
            let rows = try connection.rows(SQL.lastTriggers, [user.rawValue], fence)
            let triggers = try rows.map { (CampaignID(rawValue: try $0.text("campaign_id")), try PastTrigger($0)) }
            return Dictionary(triggers, uniquingKeysWith: { newest, _ in newest })
        }
    }
}
