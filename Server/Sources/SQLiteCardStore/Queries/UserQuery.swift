import CardModel
import CardStore
import GRDB
import WireJSON

/// A search for users by the beginning of the id, then of the e-mail address, each in the order of its index: it reads
/// no more than it gives, however many there are that begin so.
struct UserQuery: Sendable {
    let text: String
    let place: UserID?
    let limit: Int

    init(_ text: String, after place: UserID?, limit: Int) {
        self.text = text
        self.place = place
        self.limit = limit
    }

    func run(_ database: Database) throws -> [String] {
        let isAmongOthers = place.map { !$0.rawValue.hasBytePrefix(text) } ?? false
        let named = isAmongOthers ? [] : try byID(database)
        guard !text.isEmpty, named.count < limit else { return named }
        // safe: a limit that was clamped, less what it let in
        return try named + byEmail(after: isAmongOthers ? place : nil, limit: limit - named.count, database)
    }

    private func byID(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT id FROM users WHERE id \(place == nil ? ">=" : ">") ?1 AND id < ?2 ORDER BY id LIMIT ?3",
            arguments: [place?.rawValue ?? text, SearchText.end(of: text), limit]
        )
    }

    /// Those whose address begins so and whose id does not.
    private func byEmail(after place: UserID?, limit: Int, _ database: Database) throws -> [String] {
        let start = SearchText.lowercased(text)
        let last = try place.flatMap { place in
            try String.fetchOne(
                database,
                sql: "SELECT lower(json_extract(standard, '$.email')) FROM users WHERE id = ?",
                arguments: [place.rawValue]
            )
        }
        return try String.fetchAll(
            database,
            sql: Self.byEmailSQL,
            arguments: [
                last ?? start, SearchText.end(of: start), place?.rawValue ?? "", text, SearchText.end(of: text), limit,
            ]
        )
    }

    static let byEmailSQL = """
        SELECT id FROM users
        WHERE json_extract(standard, '$.email') IS NOT NULL
            AND lower(json_extract(standard, '$.email')) >= ?1 AND lower(json_extract(standard, '$.email')) < ?2
            AND (lower(json_extract(standard, '$.email')) > ?1 OR id > ?3) AND NOT (id >= ?4 AND id < ?5)
        ORDER BY lower(json_extract(standard, '$.email')), id LIMIT ?6
        """
}
