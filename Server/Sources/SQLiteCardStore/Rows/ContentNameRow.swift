import CardModel
import CardStore
import GRDB

/// The names that a version of a campaign mentions, as a row keeps them.
enum ContentNameRow {
    /// Notes what a campaign names since a change; after its version.
    static func note(_ campaign: Campaign, insteadOf old: Campaign?, in database: Database) throws {
        switch NamedVersions.change(of: campaign, since: old) {
        case .nothing: break
        case .launch:
            try database.execute(
                sql: "UPDATE content_names SET is_launched = 1 WHERE campaign_id = ? AND is_present",
                arguments: [campaign.id.rawValue]
            )
        case .replacement(let rows):
            try database.execute(
                sql: "UPDATE content_names SET is_present = 0 WHERE campaign_id = ? AND is_present",
                arguments: [campaign.id.rawValue]
            )
            try insert(rows, of: campaign.id.rawValue, into: database)
        }
    }

    private static func insert(_ rows: [NamedVersions.Row], of campaign: String, into database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT INTO content_names VALUES (?, ?, ?, ?, ?, ?)")
        for row in rows {
            try statement.execute(
                arguments: [
                    row.name.kind.rawValue, row.name.name, campaign, row.version, row.isPresent, row.isLaunched,
                ]
            )
        }
    }

    /// Notes what all campaigns name.
    static func fill(_ database: Database) throws {
        for campaign in try String.fetchAll(database, sql: "SELECT id FROM campaigns") {
            var named = NamedVersions()
            let versions = try Row.fetchCursor(
                database,
                sql: """
                    SELECT version, content, launched_at IS NOT NULL AS is_launched FROM campaign_versions
                    WHERE campaign_id = ? ORDER BY version
                    """,
                arguments: [campaign]
            )
            while let row = try versions.next() {
                named.add(row["version"], content: row["content"], isLaunched: row["is_launched"])
            }
            try insert(named.rows, of: campaign, into: database)
        }
    }

    /// Reads which campaigns name something.
    static func uses(
        of name: ContentName,
        includesFormer: Bool,
        limit: Int,
        in database: Database
    ) throws -> ContentNameUses {
        let named = """
            FROM content_names n WHERE n.kind = ?1 AND n.name = ?2 AND (n.is_present OR (n.is_launched AND ?3))
            GROUP BY n.campaign_id
            """
        // The names of campaigns are in their contents, which are read for those that are returned alone. What all
        // campaigns name, such as a logo, is read once, and each campaign after that.
        let first = try database.cachedStatement(
            sql: """
                SELECT u.*, (SELECT name FROM campaigns WHERE id = u.campaign_id) AS campaign_name FROM (
                    SELECT g.campaign_id, g.version, g.is_present, c.updated_at FROM (
                        SELECT n.campaign_id, max(n.version) AS version, max(n.is_present) AS is_present \(named)
                    ) g JOIN campaigns c INDEXED BY campaigns_by_id ON c.id = g.campaign_id
                    ORDER BY g.is_present DESC, c.updated_at DESC, g.campaign_id LIMIT ?4
                ) u ORDER BY u.is_present DESC, u.updated_at DESC, u.campaign_id
                """
        )
        let count = try database.cachedStatement(sql: "SELECT count(*) FROM (SELECT 1 \(named))")
        let (kind, text) = (name.kind.rawValue, name.name)
        return ContentNameUses(
            uses: try Row.fetchAll(first, arguments: [kind, text, includesFormer, limit]).map { row in
                let version = try row.flag("is_present") ? nil : row.optionalInteger("version")
                return ContentNameUses.Use(
                    campaign: CampaignID(rawValue: try row.text("campaign_id")),
                    name: try row.optionalText("campaign_name") ?? "",
                    version: version
                )
            },
            count: try Int.fetchOne(count, arguments: [kind, text, includesFormer]) ?? 0
        )
    }
}

extension SQLiteCardStore {
    /// Reads which campaigns name pictures or content blocks.
    public func uses(of names: [ContentName], includesFormer: Bool, limit: Int) async throws -> [ContentNameUses] {
        let limit = PageLimit.clamp(limit)
        return try await read { database in
            try names.prefix(PageLimit.highest).map {
                try ContentNameRow.uses(of: $0, includesFormer: includesFormer, limit: limit, in: database)
            }
        }
    }
}
