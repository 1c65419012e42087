import CardModel
import CardStore

/// A search for campaigns, those last changed first.
struct CampaignQuery: Sendable {
    let filter: CampaignFilter
    let place: CampaignPlace?
    let limit: Int

    func run(_ connection: PostgresConnection) throws -> [Campaign] {
        guard var search = CampaignTextSearch(filter) else {
            return try connection.rows(sql, parameters(limit: limit)).map(Campaign.init)
        }
        var ids: [String] = []
        for row in try connection.rows(statement(reading: "id, name"), parameters(limit: nil)) where ids.count < limit {
            let id = try row.text("id")
            if search.finds(name: try row.text("name"), id: id) { ids.append(id) }
        }
        guard !ids.isEmpty else { return [] }
        return try connection.rows(
            "SELECT * FROM campaigns WHERE id = ANY ($1) ORDER BY updated_at DESC, id DESC",
            [ids]
        ).map(Campaign.init)
    }

    private func parameters(limit: Int?) -> [any PostgresEncodable] {
        [filter.status?.rawValue, filter.tag, place?.updatedAt, place?.id.rawValue, limit]
    }

    /// The statement with the conditions that the search has, so that a plan for any parameters goes by them.
    ///
    /// The text isn't one of them: the database folds no texts.
    var sql: String { statement(reading: "*") }

    private func statement(reading columns: String) -> String {
        func condition(_ isAsked: Bool, _ text: String, _ parameters: String...) -> String {
            isAsked ? text : parameters.map { "\($0) IS NULL" }.joined(separator: " AND ")
        }
        let tagged = condition(
            filter.tag != nil,
            "id IN (SELECT campaign_id FROM campaign_tags WHERE tag = $2)",
            "$2::TEXT"
        )
        let placed = condition(
            place != nil,
            "(updated_at, id) < ($3, $4)",
            "$3::DOUBLE PRECISION",
            "$4::TEXT"
        )
        return """
            SELECT \(columns) FROM campaigns
            WHERE \(filter.status == nil ? "status <> 'archived' AND $1::TEXT IS NULL" : "status = $1")
                AND \(tagged) AND \(placed)
            ORDER BY updated_at DESC, id DESC LIMIT $5
            """
    }
}
