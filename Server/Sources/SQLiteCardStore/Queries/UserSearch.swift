import CardModel
import CardStore
import GRDB

/// A search for a text anywhere in a user's id, name or e-mail address, in any case.
///
/// No index has the middle of a text, so this goes through the users in the order of their ids and stops after
/// ``longest`` of them: a search takes some tenths of a second at most, and goes on where it stopped.
struct UserSearch: Sendable {
    /// The maximum number of users that one search goes through.
    static let longest = 200_000

    let text: String
    let limit: Int
    var longest = Self.longest
    var piece = 10_000

    func run(after place: String?, _ database: Database) throws -> (ids: [String], searchedTo: String?) {
        var found: (ids: [String], searchedTo: String?) = ([], place)
        var searched = 0
        while searched < longest, found.ids.count < limit {
            let start = found.searchedTo ?? ""
            let end = try String.fetchOne(database, sql: Self.endSQL, arguments: [start, max(0, piece - 1)])
            // safe: a limit that was clamped, less what it let in
            let left = limit - found.ids.count
            let ids = try String.fetchAll(database, sql: sql(until: end), arguments: arguments(start, end, left))
            found.ids += ids
            if found.ids.count >= limit {
                found.searchedTo = found.ids.last
                return found
            }
            guard let end else {
                found.searchedTo = nil
                return found
            }
            found.searchedTo = end
            searched += piece
        }
        return found
    }

    private static let endSQL = "SELECT id FROM users WHERE id > ?1 ORDER BY id LIMIT 1 OFFSET ?2"

    /// Returns the statement that finds users; those that begin with the text are left out: ``UserQuery`` finds them,
    /// by an index.
    private func sql(until end: String?) -> String {
        let names =
            "coalesce(json_extract(standard, '$.first_name'), '') || ' ' || "
            + "coalesce(json_extract(standard, '$.last_name'), '')"
        let email = "lower(json_extract(standard, '$.email'))"
        let each = spellings.indices.map { index in
            let (whole, word) = (":whole\(index)", ":word\(index)")
            return """
                id LIKE \(whole) ESCAPE '\\' OR standard LIKE \(word) ESCAPE '\\' AND (
                    json_extract(standard, '$.email') LIKE \(whole) ESCAPE '\\' OR \(names) LIKE \(whole) ESCAPE '\\'
                )
                """
        }
        return """
            SELECT id FROM users WHERE id > :start \(end == nil ? "" : "AND id <= :end")
                AND (\(each.joined(separator: " OR ")))
                AND NOT (id >= :text AND id < :after)
                AND NOT coalesce(\(email) >= :email AND \(email) < :afterEmail, 0)
            ORDER BY id LIMIT :limit
            """
    }

    private func arguments(_ start: String, _ end: String?, _ limit: Int) -> StatementArguments {
        let email = SearchText.folded(text)
        var arguments: [String: (any DatabaseValueConvertible)?] = [
            "start": start, "text": text, "after": SearchText.end(of: text), "email": email,
            "afterEmail": SearchText.end(of: email), "limit": limit,
        ]
        if let end { arguments["end"] = end }
        for (index, spelling) in spellings.enumerated() {
            arguments["whole\(index)"] = "%\(SearchText.escaped(spelling))%"
            arguments["word\(index)"] = "%\(SearchText.escaped(Self.word(of: spelling)))%"
        }
        return StatementArguments(arguments)
    }

    private var spellings: [String] { SearchText.spellings(of: text) }

    /// Returns the word that the stored JSON has to contain: the first, as first and last name aren't beside each other
    /// in it.
    private static func word(of text: String) -> String {
        let word = text.prefix { !$0.isWhitespace }
        return word.contains { "\"\\/".contains($0) || $0.isASCII && ($0.asciiValue ?? 0) < 0x20 } ? "" : String(word)
    }
}
