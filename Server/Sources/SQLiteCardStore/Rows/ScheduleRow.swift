import CardModel
import CardStore
import GRDB
import WireJSON

/// A scheduled send as a row keeps it: its users.
enum ScheduleRow {
    /// Keeps who gets a send, and forgets those of sends that can give no card any more.
    static func insert(_ send: TriggerSend, into database: Database) throws {
        let users = JSONValue.array(send.recipients.map { .string($0.user.rawValue) })
        try database.execute(sql: "DELETE FROM schedules WHERE until < ?", arguments: [send.trigger.at])
        try database.execute(
            sql: "INSERT OR REPLACE INTO schedules (campaign_id, trigger_id, users, until) VALUES (?, ?, ?, ?)",
            arguments: [send.trigger.campaign.rawValue, send.trigger.id.rawValue, users.text, send.trigger.until]
        )
    }

    static func users(_ id: TriggerID, of campaign: CampaignID, in database: Database) throws -> [UserID] {
        let text = try String.fetchOne(
            database,
            sql: "SELECT users FROM schedules WHERE campaign_id = ? AND trigger_id = ?",
            arguments: [campaign.rawValue, id.rawValue]
        )
        guard let text else { return [] }
        guard let users = try? JSONValue(parsing: text).array else { throw StoreError.unreadable("a schedule") }
        return users.compactMap(\.string).map(UserID.init(rawValue:))
    }
}
