import CardModel
import CardStore
import GRDB

extension WriteSession {
    /// A statement without its condition, for a table, and what it binds.
    typealias ScheduleChange = (_ table: String) -> (sql: String, arguments: StatementArguments)

    /// Changes what waits of a scheduled send and is not due yet.
    ///
    /// - Returns: Whether anything was changed.
    func changeSchedule(
        _ id: TriggerID,
        of campaign: CampaignID,
        at now: UnixTime,
        _ change: ScheduleChange
    ) throws -> Bool {
        // Clocks are up to 14 hours ahead of UTC: there the time of a wall clock comes first.
        let isWaiting = "campaign_id = ? AND trigger_id = ? AND due_at > ? + due_locally * 50400"
        let key: StatementArguments = [campaign.rawValue, id.rawValue, now]
        let (sql, arguments) = change("broadcasts")
        try database.execute(sql: "\(sql) WHERE \(isWaiting)", arguments: arguments + key)
        if database.changesCount > 0 {
            _ = try advanceCatalog()
            return true
        }
        var isChanged = false
        for recipient in try ScheduleRow.users(id, of: campaign, in: database) {
            // A trigger goes with its user to the one that they are merged into.
            let user = try MergedUserRow.identity(of: recipient, in: database) ?? recipient
            let (sql, arguments) = change("triggers")
            try database.execute(
                sql: "\(sql) WHERE user_id = ? AND outcome IS NULL AND \(isWaiting)",
                arguments: arguments + [user.rawValue] + key
            )
            guard database.changesCount > 0, let row = try self.user(user) else { continue }
            isChanged = true
            // safe: versions go up by one
            try setVersion(row.version + 1, of: user)
        }
        return isChanged
    }
}
