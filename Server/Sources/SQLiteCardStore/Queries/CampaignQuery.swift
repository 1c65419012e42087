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
            arguments += ["%\(Self.escaped(text))%", text]
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

    /// The text with what `LIKE` takes for a pattern made plain.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "%_\\".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }
}

/// A search for users by the beginning of the id or of the e-mail address, each by its index.
struct UserQuery: Sendable {
    let sql: String
    let arguments: StatementArguments

    init(_ text: String, after place: UserID?, limit: Int) {
        let place = place?.rawValue ?? ""
        guard !text.isEmpty else {
            sql = "SELECT id FROM users WHERE id > ? ORDER BY id LIMIT ?"
            arguments = [place, limit]
            return
        }
        // The first text that is greater than all that begin with this one.
        let (end, email) = (text + "\u{10FFFF}", text.lowercased())
        sql = """
            SELECT id FROM (
                SELECT * FROM (SELECT id FROM users WHERE id >= ?1 AND id < ?2 AND id > ?3 ORDER BY id LIMIT ?6)
                UNION
                SELECT * FROM (
                    SELECT id FROM users
                    WHERE json_extract(standard, '$.email') IS NOT NULL
                        AND lower(json_extract(standard, '$.email')) >= ?4
                        AND lower(json_extract(standard, '$.email')) < ?5 AND id > ?3
                    LIMIT ?6
                )
            ) ORDER BY id LIMIT ?6
            """
        arguments = [text, end, place, email, email + "\u{10FFFF}", limit]
    }
}
