import CardModel
import CardStore
import GRDB

extension KnownCampaigns {
    /// The campaigns of which a statement gives id and version, in its order.
    func fetch(_ sql: String, from database: Database) throws -> [Campaign] {
        try fetch(Row.fetchAll(database, sql: sql)) { try CampaignRow.find($0, in: database) }
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
