import CardModel
import CardStore

/// The names that a version of a campaign mentions, as a row holds them.
enum ContentNameRow {
    /// Notes what a campaign names since a change; after its version.
    static func note(_ campaign: Campaign, insteadOf old: Campaign?, in connection: PostgresConnection) throws {
        switch NamedVersions.change(of: campaign, since: old) {
        case .nothing: break
        case .launch:
            try connection.execute(
                "UPDATE content_names SET is_launched = TRUE WHERE campaign_id = $1 AND is_present",
                [campaign.id.rawValue]
            )
        case .replacement(let rows):
            try connection.execute(
                "UPDATE content_names SET is_present = FALSE WHERE campaign_id = $1 AND is_present",
                [campaign.id.rawValue]
            )
            try insert(rows, of: campaign.id.rawValue, into: connection)
        }
    }

    private static func insert(
        _ rows: [NamedVersions.Row],
        of campaign: String,
        into connection: PostgresConnection
    ) throws {
        for row in rows {
            try connection.execute(
                "INSERT INTO content_names VALUES ($1, $2, $3, $4, $5, $6)",
                [row.name.kind.rawValue, row.name.name, campaign, row.version, row.isPresent, row.isLaunched]
            )
        }
    }

    /// Notes what all campaigns name.
    static func fill(_ connection: PostgresConnection) throws {
        for row in try connection.rows("SELECT id FROM campaigns") {
            let campaign = try row.text("id")
            var named = NamedVersions()
            var last: Int64 = 0
            while true {
                let versions = try connection.rows(
                    """
                    SELECT version, content, launched_at IS NOT NULL AS is_launched FROM campaign_versions
                    WHERE campaign_id = $1 AND version > $2 ORDER BY version LIMIT 16
                    """,
                    [campaign, last]
                )
                for version in versions {
                    last = try version.integer("version")
                    let content = try version.optionalText("content")
                    named.add(last, content: content, isLaunched: try version.flag("is_launched"))
                }
                if versions.isEmpty { break }
            }
            try insert(named.rows, of: campaign, into: connection)
        }
    }

    /// Reads which campaigns name each of some things of a kind.
    ///
    /// What all campaigns name, such as a logo, is read once, and each campaign after that.
    static func uses(
        of kind: ContentName.ContentNameKind,
        _ names: [String],
        includesFormer: Bool,
        limit: Int,
        in connection: PostgresConnection
    ) throws -> [ContentNameUses] {
        let rows = try connection.rows(
            """
            SELECT asked.place, used.*
            FROM unnest($2::TEXT[]) WITH ORDINALITY AS asked (name, place)
            CROSS JOIN LATERAL (
                SELECT named.*, c.name AS campaign_name, c.updated_at, count(*) OVER () AS count
                FROM (
                    SELECT n.campaign_id, max(n.version) AS version, bool_or(n.is_present) AS is_present
                    FROM content_names n
                    WHERE n.kind = $1 AND n.name = asked.name AND (n.is_present OR (n.is_launched AND $3))
                    GROUP BY n.campaign_id
                ) named JOIN campaigns c ON c.id = named.campaign_id
                ORDER BY named.is_present DESC, c.updated_at DESC, named.campaign_id LIMIT $4
            ) used
            ORDER BY asked.place, used.is_present DESC, used.updated_at DESC, used.campaign_id
            """,
            [kind.rawValue, names, includesFormer, limit]
        )
        var found = names.map { _ in ContentNameUses() }
        for row in rows {
            // safe: places begin with 1
            let place = Int(try row.integer("place")) - 1
            guard found.indices.contains(place) else { continue }
            found[place].count = Int(try row.integer("count"))
            found[place].uses.append(
                ContentNameUses.Use(
                    campaign: CampaignID(rawValue: try row.text("campaign_id")),
                    name: try row.text("campaign_name"),
                    version: try row.flag("is_present") ? nil : try row.integer("version")
                )
            )
        }
        return found
    }
}

extension PostgresCardStore {
    /// Reads which campaigns name pictures or content blocks.
    public func uses(of names: [ContentName], includesFormer: Bool, limit: Int) async throws -> [ContentNameUses] {
        let limit = PageLimit.clamp(limit)
        let names = Array(names.prefix(PageLimit.highest))
        return try await snapshot { connection in
            var found = names.map { _ in ContentNameUses() }
            for kind in [ContentName.ContentNameKind.picture, .contentBlock] {
                let places = names.indices.filter { names[$0].kind == kind }
                guard !places.isEmpty else { continue }
                let uses = try ContentNameRow.uses(
                    of: kind,
                    places.map { names[$0].name },
                    includesFormer: includesFormer,
                    limit: limit,
                    in: connection
                )
                // safe: places of names, of which each has its uses
                for (place, use) in zip(places, uses) { found[place] = use }
            }
            return found
        }
    }
}
