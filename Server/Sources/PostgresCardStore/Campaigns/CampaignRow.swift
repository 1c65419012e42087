import CardModel
import CardStore

/// A campaign as a row holds it: what a person wrote as JSON, the rest as columns.
enum CampaignRow {
    static func find(_ id: CampaignID, in connection: PostgresConnection) throws -> Campaign? {
        try connection.row("SELECT * FROM campaigns WHERE id = $1", [id.rawValue]).map(Campaign.init)
    }

    /// Reads a campaign, and keeps other nodes from changing it until the commit.
    static func lock(_ id: CampaignID, in connection: PostgresConnection) throws -> Campaign? {
        try connection.row("SELECT * FROM campaigns WHERE id = $1 FOR NO KEY UPDATE", [id.rawValue]).map(Campaign.init)
    }

    /// Inserts a campaign, or returns `false` where there is one of that id.
    static func insert(_ campaign: Campaign, into connection: PostgresConnection) throws -> Bool {
        let changed = try connection.execute(
            """
            INSERT INTO campaigns
                (id, name, folded_name, content, status, withdrawn, has_segments, has_conversions, version, generation,
                 created_at, updated_at, launched_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            ON CONFLICT (id) DO NOTHING
            """,
            values(of: campaign)
        )
        guard changed > 0 else { return false }
        try setNames(of: campaign, in: connection)
        return true
    }

    static func update(_ campaign: Campaign, insteadOf old: Campaign, in connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE campaigns SET
                name = $2, folded_name = $3, content = $4, status = $5, withdrawn = $6, has_segments = $7,
                has_conversions = $8, version = $9, generation = $10, created_at = $11, updated_at = $12,
                launched_at = $13
            WHERE id = $1
            """,
            values(of: campaign)
        )
        if campaign.content != old.content { try setNames(of: campaign, in: connection) }
    }

    /// The values of a row, whose `folded_name` only nodes of the version before search.
    private static func values(of campaign: Campaign) -> [any PostgresEncodable] {
        [
            campaign.id.rawValue, campaign.content.name, SearchText.lowercased(campaign.content.name),
            campaign.storedContent, campaign.status.rawValue, campaign.isWithdrawn,
            !campaign.content.audience.segments.isEmpty, !campaign.content.conversions.isEmpty, campaign.version,
            campaign.generation, campaign.createdAt, campaign.updatedAt, campaign.launchedAt,
        ]
    }

    /// Writes what is looked for: the tags, and the variants that day totals leave out.
    private static func setNames(of campaign: Campaign, in connection: PostgresConnection) throws {
        let id = campaign.id.rawValue
        let controls = campaign.content.variants.filter(\.isControl).map(\.id.rawValue)
        try connection.execute("DELETE FROM campaign_tags WHERE campaign_id = $1", [id])
        try connection.execute("DELETE FROM controls WHERE campaign_id = $1", [id])
        try connection.execute(
            "INSERT INTO campaign_tags (tag, campaign_id) SELECT DISTINCT tag, $2 FROM unnest($1::TEXT[]) AS t (tag)",
            [campaign.content.tags, id]
        )
        try connection.execute(
            """
            INSERT INTO controls (campaign_id, variant_id)
            SELECT DISTINCT $2, variant_id FROM unnest($1::TEXT[]) AS v (variant_id)
            """,
            [controls, id]
        )
    }
}

extension KnownCampaigns {
    /// The campaigns of which a statement gives id and version, in its order, without those that can't be read.
    ///
    /// Those that aren't known are read at once.
    func fetch(
        _ sql: String,
        from connection: PostgresConnection,
        _ reader: inout RowReader
    ) throws -> [Campaign] {
        let rows = try connection.rows(sql)
        let unknown = try rows.filter { try !contains($0) }.map { try $0.text("id") }
        var found: [CampaignID: Campaign] = [:]
        if !unknown.isEmpty {
            for row in try connection.rows("SELECT * FROM campaigns WHERE id = ANY ($1)", [unknown]) {
                guard let campaign = reader.value(of: row, .campaign, { try Campaign($0) }) else { continue }
                found[campaign.id] = campaign
            }
        }
        return try fetch(rows) { found[$0] }
    }

    /// Every campaign that was ever launched.
    static let launched = """
        SELECT id, version FROM campaigns WHERE launched_at IS NOT NULL ORDER BY launched_at, id
        """

    /// The campaigns whose conversions count.
    static let converting = """
        SELECT id, version FROM campaigns WHERE launched_at IS NOT NULL AND status <> 'archived' AND has_conversions
        """
}
