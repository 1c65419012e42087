import CardModel
import CardStore
import GRDB

/// A version of a campaign as a row keeps it.
enum CampaignVersionRow {
    /// Appends the version that a change has made.
    static func insert(
        _ campaign: Campaign,
        insteadOf old: Campaign?,
        action: String,
        by actor: Actor,
        into database: Database
    ) throws {
        let content = CampaignVersion.storedContent(of: campaign, since: old)
        let restored = try content.flatMap { try newest(of: campaign.id, with: $0, in: database) }
        try database.execute(
            sql: """
                INSERT INTO campaign_versions
                    (campaign_id, version, at, actor, action, status, withdrawn, launched_at, changed, \
                    restores, content)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                campaign.id.rawValue, campaign.version, campaign.updatedAt, actor.name, action,
                campaign.status.rawValue, campaign.isWithdrawn, campaign.launchedAt,
                CampaignVersion.changedFields(of: campaign, since: old), restored, content,
            ]
        )
    }

    /// Removes the versions of a campaign beyond as many as are kept, but for those that newer ones take their content
    /// from.
    static func removeOldest(of campaign: Campaign, in database: Database) throws {
        guard let oldest = CampaignVersion.oldestKept(of: campaign) else { return }
        try database.execute(
            sql: """
                DELETE FROM campaign_versions WHERE campaign_id = ?1 AND version < (
                    SELECT max(version) FROM campaign_versions
                    WHERE campaign_id = ?1 AND content IS NOT NULL AND version <= ?2
                )
                """,
            arguments: [campaign.id.rawValue, oldest]
        )
    }

    private static func newest(of id: CampaignID, with content: String, in database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT max(version) FROM campaign_versions WHERE campaign_id = ? AND content = ?",
            arguments: [id.rawValue, content]
        )
    }

    static func list(
        of id: CampaignID,
        before number: Int64?,
        limit: Int,
        in database: Database
    ) throws -> [CampaignVersion] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT version, at, actor, action, status, changed, restores FROM campaign_versions
                WHERE campaign_id = ? AND version < ? ORDER BY version DESC LIMIT ?
                """,
            arguments: [id.rawValue, number ?? .max, limit]
        ).map(CampaignVersion.init)
    }

    static func find(_ number: Int64, of id: CampaignID, in database: Database) throws -> PastCampaign? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT c.id, c.created_at, v.version, v.at, v.actor, v.action, v.status, v.withdrawn, v.launched_at,
                    v.changed, v.restores, v.at AS updated_at, 0 AS generation, (
                        SELECT content FROM campaign_versions
                        WHERE campaign_id = v.campaign_id AND version <= v.version AND content IS NOT NULL
                        ORDER BY version DESC LIMIT 1
                    ) AS content
                FROM campaign_versions v JOIN campaigns c ON c.id = v.campaign_id
                WHERE v.campaign_id = ? AND v.version = ?
                """,
            arguments: [id.rawValue, number]
        ).map { try PastCampaign(version: CampaignVersion($0), campaign: Campaign($0)) }
    }
}
