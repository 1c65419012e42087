import CardModel
import CardStore
import GRDB
import WireJSON

/// A search for pictures, the newest first, by their folded texts and by what campaigns name.
struct MediaQuery: Sendable {
    let sql: String
    let arguments: StatementArguments

    init(_ filter: MediaFilter, offset: Int, limit: Int) {
        var conditions = ["deleted_at IS NULL"]
        var arguments: [(any DatabaseValueConvertible)?] = []
        for pattern in filter.patterns {
            conditions.append(#"coalesce(folded, lower(name || ' ' || alt)) LIKE ? ESCAPE '\'"#)
            arguments.append(pattern)
        }
        if let used = filter.unusedBut {
            conditions.append("id NOT IN (SELECT value FROM json_each(?))")
            arguments.append(JSONValue.array(used.sorted().map(JSONValue.string)).text)
            conditions.append(
                """
                NOT EXISTS (
                    SELECT 1 FROM content_names n
                    WHERE n.kind = ? AND n.name = media.id AND (n.is_present OR n.is_launched)
                )
                """
            )
            arguments.append(ContentName.ContentNameKind.picture.rawValue)
        }
        sql = """
            SELECT * FROM media WHERE \(conditions.joined(separator: " AND "))
            ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?
            """
        self.arguments = StatementArguments(arguments + [limit, offset])
    }
}
