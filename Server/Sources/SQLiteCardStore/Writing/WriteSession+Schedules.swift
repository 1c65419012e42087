import CardModel
import CardStore
import GRDB

extension WriteSession {
    /// A statement without its condition, for a table, and what it binds.
    typealias ScheduleChange = (_ table: String) -> (sql: String, arguments: StatementArguments)

    /// Changes whatever waits under the id of a scheduled send and is not due yet: a broadcast, users' own triggers, or
    /// both.
    ///
    /// - Returns: Whether anything was changed.
    func changeSchedule(
        _ id: TriggerID,
        of campaign: CampaignID,
        at now: UnixTime,
        _ change: ScheduleChange
    ) throws -> Bool {
        // As `PlannedTime.isDue(by:)` says.
        let isWaiting = "campaign_id = ? AND trigger_id = ? AND due_at - due_locally * ? > ?"
        let key: StatementArguments = [campaign.rawValue, id.rawValue, PlannedTime.furthestAhead, now]
        let (sql, arguments) = change("broadcasts")
        try database.execute(sql: "\(sql) WHERE \(isWaiting)", arguments: arguments + key)
        let changesBroadcast = database.changesCount > 0
        if changesBroadcast { _ = try advanceCatalog() }
        let users = try String.fetchAll(
            database,
            sql: "SELECT user_id FROM triggers WHERE is_scheduled = 1 AND outcome IS NULL AND \(isWaiting)",
            arguments: key
        )
        for user in users.map(UserID.init(rawValue:)) {
            let (sql, arguments) = change("triggers")
            try database.execute(
                sql: "\(sql) WHERE user_id = ? AND campaign_id = ? AND trigger_id = ?",
                arguments: arguments + [user.rawValue, campaign.rawValue, id.rawValue]
            )
            guard let known = try self.user(user) else { continue }
            try setVersion(known.nextVersion, of: user)
        }
        return changesBroadcast || !users.isEmpty
    }
}
