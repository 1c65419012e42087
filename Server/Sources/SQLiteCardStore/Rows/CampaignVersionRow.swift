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
        let isOther = campaign.content != old?.content
        let content = isOther ? campaign.storedContent : nil
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

    /// Reads contents of versions since a launch; a version without a content of its own has that of the one before it.
    static func launched(
        with text: String,
        after last: LaunchedContent?,
        limit: Int,
        in database: Database
    ) throws -> [LaunchedContent] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT c.campaign_id, c.version, c.content FROM campaign_versions c
                WHERE (c.campaign_id, c.version) > (?, ?) AND instr(c.content, ?) > 0 AND EXISTS (
                    SELECT 1 FROM campaign_versions v
                    WHERE v.campaign_id = c.campaign_id AND v.version >= c.version AND v.launched_at IS NOT NULL
                        AND v.version < coalesce((
                            SELECT o.version FROM campaign_versions o WHERE o.campaign_id = c.campaign_id
                                AND o.version > c.version AND o.content IS NOT NULL
                            ORDER BY o.version LIMIT 1
                        ), 9223372036854775807)
                )
                ORDER BY c.campaign_id, c.version LIMIT ?
                """,
            arguments: [last?.campaign.rawValue ?? "", last?.version ?? 0, text, limit]
        ).map(LaunchedContent.init)
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
