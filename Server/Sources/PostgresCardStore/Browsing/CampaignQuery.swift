import CardModel
import CardStore

/// A search for campaigns, those last changed first.
struct CampaignQuery: Sendable {
    let filter: CampaignFilter
    let place: CampaignPlace?
    let limit: Int

    func run(_ connection: PostgresConnection) throws -> [Campaign] {
        let pattern = filter.text.map { "%\(SearchText.escaped(SearchText.lowercased($0)))%" }
        return try connection.rows(
            """
            SELECT * FROM campaigns
            WHERE \(filter.status == nil ? "status <> 'archived' AND $1::TEXT IS NULL" : "status = $1")
                AND ($2::TEXT IS NULL OR folded_name LIKE $2 ESCAPE '\\' OR id = $3)
                AND ($4::TEXT IS NULL OR id IN (SELECT campaign_id FROM campaign_tags WHERE tag = $4))
                AND ($5::DOUBLE PRECISION IS NULL OR (updated_at, id) < ($5, $6))
            ORDER BY updated_at DESC, id DESC LIMIT $7
            """,
            [
                filter.status?.rawValue, pattern, filter.text, filter.tag, place?.updatedAt, place?.id.rawValue, limit,
            ]
        ).map(Campaign.init)
    }
}
