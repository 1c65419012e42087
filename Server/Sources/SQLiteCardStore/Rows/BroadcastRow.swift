import CardModel
import CardStore
import GRDB

/// A broadcast as a row keeps it.
enum BroadcastRow {
    /// Reads the broadcasts that may still give a card, the oldest first.
    static func alive(
        at now: UnixTime,
        in database: Database,
        _ reader: inout RowReader
    ) throws -> [Broadcast] {
        let sql = "SELECT * FROM broadcasts WHERE until > ? ORDER BY at, trigger_id"
        let rows = try Row.fetchAll(database, sql: sql, arguments: [now])
        return reader.values(of: rows, .broadcast, named: "trigger_id") { try Broadcast($0) }
    }

    /// Reads how much the broadcasts are that may still give a card.
    static func load(of campaign: CampaignID, at now: UnixTime, in database: Database) throws -> Broadcast.BroadcastLoad
    {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT count(*) AS count, count(*) FILTER (WHERE campaign_id = ?) AS of_campaign,
                    coalesce(sum(length(CAST(audience AS BLOB)) + coalesce(length(CAST(properties AS BLOB)), 0)), 0)
                        AS size
                FROM broadcasts WHERE until > ?
                """,
            arguments: [campaign.rawValue, now]
        )
        return Broadcast.BroadcastLoad(
            ofCampaign: row?["of_campaign"] ?? 0,
            count: row?["count"] ?? 0,
            size: row?["size"] ?? 0
        )
    }

    /// Reads the broadcasts that gave a user a card, and may still give others one.
    static func given(to user: UserID, in database: Database) throws -> [Broadcast] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT DISTINCT b.* FROM deliveries AS d
                JOIN broadcasts AS b ON b.campaign_id = d.campaign_id AND b.trigger_id = d.trigger_id
                WHERE d.user_id = ? ORDER BY b.at, b.trigger_id
                """,
            arguments: [user.rawValue]
        ).map(Broadcast.init)
    }

    /// Keeps a broadcast, or returns `false` where the campaign has one of that id.
    static func insert(_ broadcast: Broadcast, into database: Database) throws -> Bool {
        let (trigger, due) = (broadcast.trigger, broadcast.trigger.due.columns)
        try database.execute(
            sql: """
                INSERT INTO broadcasts
                    (campaign_id, trigger_id, at, due_at, due_locally, until, properties, audience)
                VALUES (:campaign, :trigger, :at, :due, :locally, :until, :properties, :audience)
                ON CONFLICT (campaign_id, trigger_id) DO NOTHING
                """,
            arguments: [
                "campaign": trigger.campaign.rawValue, "trigger": trigger.id.rawValue, "at": trigger.at,
                "due": due.seconds, "locally": due.isLocal, "until": trigger.until,
                "properties": trigger.properties.map { String(decoding: $0, as: UTF8.self) },
                "audience": broadcast.storedAudience,
            ]
        )
        return database.changesCount > 0
    }
}
