import CardModel
import CardStore

/// A version of a campaign as a row holds it.
enum CampaignVersionRow {
    /// Appends the version that a change has made.
    static func insert(
        _ campaign: Campaign,
        insteadOf old: Campaign?,
        action: String,
        by actor: Actor,
        into connection: PostgresConnection
    ) throws {
        let content = CampaignVersion.storedContent(of: campaign, since: old)
        try connection.execute(
            """
            INSERT INTO campaign_versions
                (campaign_id, version, at, actor, action, status, withdrawn, launched_at, changed, content, restores)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, (
                SELECT max(version) FROM campaign_versions WHERE campaign_id = $1 AND content = $10
            ))
            """,
            [
                campaign.id.rawValue, campaign.version, campaign.updatedAt, actor.name, action,
                campaign.status.rawValue, campaign.isWithdrawn, campaign.launchedAt,
                CampaignVersion.changedFields(of: campaign, since: old), content,
            ]
        )
    }

    /// Removes the versions of a campaign beyond as many as are kept, but for those that newer ones take their content
    /// from.
    static func removeOldest(of campaign: Campaign, in connection: PostgresConnection) throws {
        guard let oldest = CampaignVersion.oldestKept(of: campaign) else { return }
        try connection.execute(
            """
            DELETE FROM campaign_versions WHERE campaign_id = $1 AND version < (
                SELECT max(version) FROM campaign_versions
                WHERE campaign_id = $1 AND content IS NOT NULL AND version <= $2
            )
            """,
            [campaign.id.rawValue, oldest]
        )
    }

    static func list(
        of id: CampaignID,
        before number: Int64?,
        limit: Int,
        in connection: PostgresConnection
    ) throws -> [CampaignVersion] {
        try connection.rows(
            """
            SELECT version, at, actor, action, status, changed, restores FROM campaign_versions
            WHERE campaign_id = $1 AND version < $2 ORDER BY version DESC LIMIT $3
            """,
            [id.rawValue, number ?? .max, limit]
        ).map(CampaignVersion.init)
    }

    static func latest(
        of ids: [CampaignID],
        limit: Int,
        in connection: PostgresConnection
    ) throws -> [CampaignID: [CampaignVersion]] {
        let rows = try connection.rows(
            """
            SELECT w.id AS campaign_id, v.version, v.at, v.actor, v.action, v.status, v.changed, v.restores
            FROM unnest($1::TEXT[]) AS w (id) CROSS JOIN LATERAL (
                SELECT version, at, actor, action, status, changed, restores FROM campaign_versions
                WHERE campaign_id = w.id ORDER BY version DESC LIMIT $2
            ) AS v
            ORDER BY w.id, v.version DESC
            """,
            [ids.map(\.rawValue), limit]
        )
        var found: [CampaignID: [CampaignVersion]] = [:]
        for row in rows {
            found[CampaignID(rawValue: try row.text("campaign_id")), default: []].append(try CampaignVersion(row))
        }
        return found
    }

    static func find(_ number: Int64, of id: CampaignID, in connection: PostgresConnection) throws -> PastCampaign? {
        try connection.row(
            """
            SELECT c.id, c.created_at, v.version, v.at, v.actor, v.action, v.status, v.withdrawn, v.launched_at,
                v.changed, v.restores, v.at AS updated_at, 0::BIGINT AS generation, (
                    SELECT content FROM campaign_versions
                    WHERE campaign_id = v.campaign_id AND version <= v.version AND content IS NOT NULL
                    ORDER BY version DESC LIMIT 1
                ) AS content
            FROM campaign_versions v JOIN campaigns c ON c.id = v.campaign_id
            WHERE v.campaign_id = $1 AND v.version = $2
            """,
            [id.rawValue, number]
        ).map { try PastCampaign(version: CampaignVersion($0), campaign: Campaign($0)) }
    }
}
