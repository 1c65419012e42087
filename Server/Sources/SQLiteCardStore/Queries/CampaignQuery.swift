import CardModel
import CardStore
import GRDB

/// A search for campaigns: it walks an index that has all it tests, and reads the rows of those it shows.
struct CampaignQuery: Sendable {
    let sql: String
    let arguments: StatementArguments

    init(_ filter: CampaignFilter, after place: CampaignPlace?, limit: Int) {
        var conditions: [String] = []
        var arguments: [(any DatabaseValueConvertible)?] = []
        if let status = filter.status {
            conditions.append("status = ?")
            arguments.append(status.rawValue)
        } else {
            conditions.append("status <> 'archived'")
        }
        if let text = filter.text {
            conditions.append(#"(name LIKE ? ESCAPE '\' OR id = ?)"#)
            arguments += ["%\(SearchText.escaped(text))%", text]
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
        sql = """
            SELECT * FROM campaigns WHERE id IN (
                SELECT id FROM campaigns INDEXED BY \(index) WHERE \(conditions.joined(separator: " AND "))
                ORDER BY updated_at DESC, id DESC LIMIT ?
            ) ORDER BY updated_at DESC, id DESC
            """
        self.arguments = StatementArguments(arguments + [limit])
    }
}
