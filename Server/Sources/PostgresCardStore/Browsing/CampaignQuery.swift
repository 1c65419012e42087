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
            sql,
            [
                filter.status?.rawValue, pattern, filter.text, filter.tag, place?.updatedAt, place?.id.rawValue, limit,
            ]
        ).map(Campaign.init)
    }

    /// The statement with the conditions that the search has, so that a plan for any parameters goes by them.
    var sql: String {
        func condition(_ isAsked: Bool, _ text: String, _ parameters: String...) -> String {
            isAsked ? text : parameters.map { "\($0) IS NULL" }.joined(separator: " AND ")
        }
        let named = condition(
            filter.text != nil,
            "(folded_name LIKE $2 ESCAPE '\\' OR id = $3)",
            "$2::TEXT",
            "$3::TEXT"
        )
        let tagged = condition(
            filter.tag != nil,
            "id IN (SELECT campaign_id FROM campaign_tags WHERE tag = $4)",
            "$4::TEXT"
        )
        let placed = condition(
            place != nil,
            "(updated_at, id) < ($5, $6)",
            "$5::DOUBLE PRECISION",
            "$6::TEXT"
        )
        return """
            SELECT * FROM campaigns
            WHERE \(filter.status == nil ? "status <> 'archived' AND $1::TEXT IS NULL" : "status = $1")
                AND \(named) AND \(tagged) AND \(placed)
            ORDER BY updated_at DESC, id DESC LIMIT $7
            """
    }
}
