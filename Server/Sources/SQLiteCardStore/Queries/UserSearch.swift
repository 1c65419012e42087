import CardModel
import CardStore
import GRDB

/// A search for a text anywhere in a user's id, name or e-mail address, in any case, with accents or without.
///
/// No index has the middle of a text, so this goes through the users in the order of their ids and stops after
/// ``longest`` of them, or once their texts have taken as long: a search takes some tenths of a second at most, and
/// goes on where it stopped.
struct UserSearch: Sendable {
    /// The maximum number of users that one search goes through.
    static let longest = 200_000
    /// The maximum number of bytes of users' texts that one search folds; those that are not much longer than a name
    /// don't reach it.
    static let mostBytes = 8 << 20

    let text: String
    let limit: Int
    var longest = Self.longest
    var mostBytes = Self.mostBytes
    var piece = 10_000

    func run(after place: String?, _ database: Database) throws -> (ids: [String], searchedTo: String?) {
        var found: (ids: [String], searchedTo: String?) = ([], place)
        let patterns = SearchText.patterns(of: text)
        guard !patterns.isEmpty else { return ([], nil) }
        var searched = 0
        var folder = FoldedText.Folder()
        while searched < longest, folder.bytes < mostBytes, found.ids.count < limit {
            let start = found.searchedTo ?? ""
            let end = try String.fetchOne(database, sql: Self.endSQL, arguments: [start, max(0, piece - 1)])
            // safe: a limit that was clamped, less what it let in
            let left = limit - found.ids.count
            let part = try find(patterns, after: start, through: end, limit: left, &folder, database)
            found.ids += part.ids
            if let last = part.endedAt {
                found.searchedTo = last
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

    /// Reads those of a part of the users who have one of the patterns, as many as there is room for.
    ///
    /// - Returns: The users, and the last one that was looked at where there may be more in this part.
    private func find(
        _ patterns: [String],
        after start: String,
        through end: String?,
        limit: Int,
        _ folder: inout FoldedText.Folder,
        _ database: Database
    ) throws -> (ids: [String], endedAt: String?) {
        let sql = sql(until: end, words: patterns.count)
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments(patterns, start, end))
        var ids: [String] = []
        while let row = try rows.next() {
            let (id, searched): (String, String) = (row["id"], row["searched"])
            if FoldedText.contains(folder.folded(searched), anyOf: patterns) { ids.append(id) }
            if ids.count >= limit || folder.bytes >= mostBytes { return (ids, id) }
        }
        return (ids, nil)
    }

    /// Returns the statement that finds the users who might have the text: where their data is plain ASCII, it has the
    /// text's first word as it is.
    ///
    /// Those that begin with the text are left out: ``UserQuery`` finds them, by an index.
    private func sql(until end: String?, words: Int) -> String {
        func attribute(_ name: String) -> String { "coalesce(json_extract(standard, '$.\(name)'), '')" }
        let email = "lower(json_extract(standard, '$.email'))"
        let mayHave = (0..<words).map { "id LIKE :word\($0) ESCAPE '\\' OR standard LIKE :word\($0) ESCAPE '\\'" }
        return """
            SELECT id, id || char(31) || \(attribute("first_name")) || ' ' || \(attribute("last_name")) || char(31)
                || \(attribute("email")) AS searched
            FROM users WHERE id > :start \(end == nil ? "" : "AND id <= :end")
                AND (\(mayHave.joined(separator: " OR "))
                    OR length(CAST(id AS BLOB)) > length(id) OR length(CAST(standard AS BLOB)) > length(standard))
                AND NOT (id >= :text AND id < :after)
                AND NOT coalesce(\(email) >= :email AND \(email) < :afterEmail, 0)
            ORDER BY id
            """
    }

    private func arguments(_ patterns: [String], _ start: String, _ end: String?) -> StatementArguments {
        let email = SearchText.lowercased(text)
        var arguments: [String: (any DatabaseValueConvertible)?] = [
            "start": start, "text": text, "after": SearchText.end(of: text), "email": email,
            "afterEmail": SearchText.end(of: email),
        ]
        if let end { arguments["end"] = end }
        for (index, pattern) in patterns.enumerated() {
            arguments["word\(index)"] = "%\(SearchText.escaped(Self.word(of: pattern)))%"
        }
        return StatementArguments(arguments)
    }

    /// Returns the word that the stored JSON has to contain: the first, as first and last name aren't beside each other
    /// in it.
    private static func word(of text: String) -> String {
        let word = text.prefix { !$0.isWhitespace }
        return word.utf8.contains { $0 < 0x20 || "\"\\/".utf8.contains($0) } ? "" : String(word)
    }
}
