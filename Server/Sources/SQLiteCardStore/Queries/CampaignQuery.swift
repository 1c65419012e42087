import CardModel
import CardStore
import GRDB

/// A search for campaigns: it walks an index that has all it tests, and reads the rows of those it shows.
///
/// Texts are folded while it walks, so that it stops once enough are found.
struct CampaignQuery: Sendable {
    private let filter: CampaignFilter
    private let limit: Int
    private let sql: String
    private let arguments: StatementArguments

    init(_ filter: CampaignFilter, after place: CampaignPlace?, limit: Int) {
        var conditions: [String] = []
        var arguments: [(any DatabaseValueConvertible)?] = []
        if let status = filter.status {
            conditions.append("status = ?")
            arguments.append(status.rawValue)
        } else {
            conditions.append("status <> 'archived'")
        }
        if let tag = filter.tag {
            conditions.append("id IN (SELECT campaign_id FROM campaign_tags WHERE tag = ?)")
            arguments.append(tag)
        }
        if let place {
            conditions.append("(updated_at, id) < (?, ?)")
            arguments += [place.updatedAt, place.id.rawValue]
        }
        let index = filter.status == nil ? "campaigns_by_time" : "campaigns_by_status"
        self.filter = filter
        self.limit = limit
        sql = """
            SELECT id, name FROM campaigns INDEXED BY \(index) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY updated_at DESC, id DESC
            """
        self.arguments = StatementArguments(arguments)
    }

    func run(_ database: Database) throws -> [Campaign] {
        try ids(database).compactMap { try CampaignRow.row(of: CampaignID(rawValue: $0), in: database) }
            .map(Campaign.init)
    }

    private func ids(_ database: Database) throws -> [String] {
        var search = CampaignTextSearch(filter)
        var ids: [String] = []
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while ids.count < limit, let row = try rows.next() {
            let id = try row.text("id")
            // A row that can't be read has no name; whoever reads all of them hears of it.
            let name = (try? row.text("name")) ?? ""
            if search?.finds(name: name, id: id) ?? true { ids.append(id) }
        }
        return ids
    }
}
