import CardModel
import CardStore
import GRDB

extension KnownCampaigns {
    /// The campaigns of which a statement gives id and version, in its order, without those that can't be read.
    func fetch(_ sql: String, from database: Database, _ reader: inout RowReader) throws -> [Campaign] {
        try fetch(Row.fetchAll(database, sql: sql)) { id in
            try CampaignRow.row(of: id, in: database).flatMap { row in
                reader.value(of: row, .campaign) { try Campaign($0) }
            }
        }
    }
}

extension SQL {
    /// Every campaign that was ever launched.
    static let launchedCampaigns = """
        SELECT id, version FROM campaigns INDEXED BY campaigns_launched
        WHERE launched_at IS NOT NULL ORDER BY launched_at, id
        """

    /// The campaigns whose conversions count.
    static let convertingCampaigns = """
        SELECT id, version FROM campaigns INDEXED BY campaigns_converting
        WHERE launched_at IS NOT NULL AND status <> 'archived' AND json_array_length(content, '$.conversions') > 0
        """
}
