import CardModel
import CardStore
import GRDB

/// Campaigns as they were read before: of many, only those are read again that were changed since.
///
/// A campaign that is changed gets another version, so id and version tell which they are. Making a campaign of its JSON
/// is what takes long.
struct KnownCampaigns {
    private let campaigns: [CampaignID: Campaign]

    init(_ campaigns: [Campaign]) {
        self.campaigns = Dictionary(campaigns.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// The campaigns of which a statement gives id and version, in its order.
    func fetch(_ sql: String, from database: Database) throws -> [Campaign] {
        let versions = try Row.fetchAll(database, sql: sql).map { row in
            // safe: the row has those columns
            (id: CampaignID(rawValue: row[0]), version: row[1] as Int64)
        }
        return try versions.compactMap { id, version in
            if let known = campaigns[id], known.version == version { return known }
            return try CampaignRow.find(id, in: database)
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
