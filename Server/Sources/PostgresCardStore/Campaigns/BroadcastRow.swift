import CardModel
import CardStore

/// A broadcast as a row holds it.
enum BroadcastRow {
    /// Reads the broadcasts that may still give a card, the oldest first.
    static func alive(
        at now: UnixTime,
        in connection: PostgresConnection,
        _ reader: inout RowReader
    ) throws -> [Broadcast] {
        let rows = try connection.rows("SELECT * FROM broadcasts WHERE until > $1 ORDER BY at, trigger_id", [now])
        return reader.values(of: rows, .broadcast, named: "trigger_id") { try Broadcast($0) }
    }

    /// Reads how much the broadcasts are that may still give a card.
    static func load(
        of campaign: CampaignID,
        at now: UnixTime,
        in connection: PostgresConnection
    ) throws -> Broadcast.BroadcastLoad {
        let row = try connection.row(
            """
            SELECT count(*) AS count, count(*) FILTER (WHERE campaign_id = $1) AS of_campaign,
                coalesce(sum(octet_length(audience) + coalesce(octet_length(properties), 0)), 0)::BIGINT AS size
            FROM broadcasts WHERE until > $2
            """,
            [campaign.rawValue, now]
        )
        return Broadcast.BroadcastLoad(
            ofCampaign: Int(clamping: try row?.integer("of_campaign") ?? 0),
            count: Int(clamping: try row?.integer("count") ?? 0),
            size: Int(clamping: try row?.integer("size") ?? 0)
        )
    }

    /// Reads the broadcasts that gave a user a card, and may still give others one.
    static func given(to user: UserID, in connection: PostgresConnection) throws -> [Broadcast] {
        try connection.rows(
            """
            SELECT * FROM broadcasts AS b WHERE EXISTS (
                SELECT 1 FROM deliveries AS d
                WHERE d.user_id = $1 AND d.campaign_id = b.campaign_id AND d.trigger_id = b.trigger_id
            ) ORDER BY at, trigger_id
            """,
            [user.rawValue]
        ).map(Broadcast.init)
    }

    /// Inserts a broadcast, or returns `false` where the campaign has one of that id.
    static func insert(_ broadcast: Broadcast, into connection: PostgresConnection) throws -> Bool {
        let (trigger, due) = (broadcast.trigger, broadcast.trigger.due.columns)
        return try connection.execute(
            """
            INSERT INTO broadcasts (campaign_id, trigger_id, at, due_at, due_locally, until, properties, audience)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (campaign_id, trigger_id) DO NOTHING
            """,
            [
                trigger.campaign.rawValue, trigger.id.rawValue, trigger.at, due.seconds, due.isLocal, trigger.until,
                trigger.properties.map { String(decoding: $0, as: UTF8.self) }, broadcast.storedAudience,
            ]
        ) > 0
    }
}

extension WriteSession {
    func insert(_ broadcast: Broadcast, by actor: Actor) throws -> Bool {
        guard try BroadcastRow.insert(broadcast, into: connection) else { return false }
        _ = try advanceCatalog()
        // The catalog's row is locked by now, so that nodes see each other's.
        let load = try BroadcastRow.load(of: broadcast.trigger.campaign, at: environment.now(), in: connection)
        if let error = StoreError.tooManyBroadcasts(load) { throw error }
        audit("campaign.broadcast", of: broadcast.trigger.campaign.rawValue, at: broadcast.trigger.at, by: actor)
        return true
    }
}
