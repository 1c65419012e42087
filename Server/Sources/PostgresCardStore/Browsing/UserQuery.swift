import CardModel
import CardStore
import WireJSON

/// A search for users by the beginning of the id, then of the e-mail address, each in the order of its index: it reads
/// no more than it gives, however many there are that begin so.
struct UserQuery: Sendable {
    let text: String
    let place: UserID?
    let limit: Int
    /// The folded address of the user at the place, where another database has them; `nil` looks for it here.
    var address: String?

    func run(_ connection: PostgresConnection) throws -> [String] {
        let isAmongOthers = place.map { !$0.rawValue.hasBytePrefix(text) } ?? false
        let named = isAmongOthers ? [] : try byID(connection)
        guard !text.isEmpty, named.count < limit else { return named }
        // safe: a limit that was clamped, less what it let in
        return try named + byEmail(after: isAmongOthers ? place : nil, limit: limit - named.count, connection)
    }

    private func byID(_ connection: PostgresConnection) throws -> [String] {
        try connection.rows(
            "SELECT id FROM users WHERE id \(place == nil ? ">=" : ">") $1 AND id < $2 ORDER BY id LIMIT $3",
            [place?.rawValue ?? text, SearchText.end(of: text), limit]
        ).map { try $0.text("id") }
    }

    /// Returns a user's folded address, or `nil` where the database has none.
    static func address(of user: UserID, _ connection: PostgresConnection) throws -> String? {
        try connection.row("SELECT folded_email FROM users WHERE id = $1", [user.rawValue])?
            .optionalText("folded_email")
    }

    /// Those whose address begins so and whose id does not.
    private func byEmail(
        after place: UserID?,
        limit: Int,
        _ connection: PostgresConnection
    ) throws -> [String] {
        let start = SearchText.lowercased(text)
        let last = try address ?? place.flatMap { try Self.address(of: $0, connection) }
        return try connection.rows(
            """
            SELECT id FROM users
            WHERE folded_email >= $1 AND folded_email < $2 AND (folded_email > $1 OR id > $3)
                AND NOT (id >= $4 AND id < $5)
            ORDER BY folded_email, id LIMIT $6
            """,
            [last ?? start, SearchText.end(of: start), place?.rawValue ?? "", text, SearchText.end(of: text), limit]
        ).map { try $0.text("id") }
    }
}

/// A search for a text anywhere in a user's id, name or e-mail address, in any case, with accents or without.
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

    func run(
        after place: String?,
        _ connection: PostgresConnection
    ) throws -> (ids: [String], searchedTo: String?) {
        // Nodes of the version before fold only ASCII, as long as they run beside this one.
        let texts = SearchText.patterns(of: text) + SearchText.formerPatterns(of: text)
        let patterns = texts.map { "%\(SearchText.escaped($0))%" }
        guard !patterns.isEmpty else { return ([], nil) }
        var ids: [String] = []
        var start = place ?? ""
        var searched = 0
        while searched < longest, ids.count < limit {
            let end = try connection.row(
                "SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT 1 OFFSET $2",
                [start, max(0, piece - 1)]
            )?.text("id")
            // safe: a limit that was clamped, less what it let in
            ids += try find(patterns, after: start, through: end, limit: limit - ids.count, connection)
            if ids.count >= limit { return (ids, ids.last) }
            guard let end else { return (ids, nil) }
            start = end
            searched += piece
        }
        return (ids, start)
    }

    /// Returns the users whose texts have the text in them; those that begin with it are left out: ``UserQuery`` finds
    /// them, by an index.
    private func find(
        _ patterns: [String],
        after start: String,
        through end: String?,
        limit: Int,
        _ connection: PostgresConnection
    ) throws -> [String] {
        let email = SearchText.lowercased(text)
        return try connection.rows(
            Self.sql(isLast: end == nil),
            [start, end, patterns, text, SearchText.end(of: text), email, SearchText.end(of: email), limit]
        ).map { try $0.text("id") }
    }

    /// Returns the statement for a piece of the users, or for all after a place.
    ///
    /// Two statements, since the plan for any parameters of one that has both would read a piece up to the last user.
    static func sql(isLast: Bool) -> String {
        """
        SELECT id FROM users
        WHERE id > $1 AND \(isLast ? "$2::TEXT IS NULL" : "id <= $2") AND folded LIKE ANY ($3)
            AND NOT (id >= $4 AND id < $5)
            AND NOT coalesce(folded_email >= $6 AND folded_email < $7, FALSE)
        ORDER BY id LIMIT $8
        """
    }
}

extension UserProfile {
    /// Reads users in the order of their ids in a list, without those that are gone.
    static func read(_ ids: [String], from connection: PostgresConnection) throws -> [UserProfile] {
        guard !ids.isEmpty else { return [] }
        let rows = try connection.rows("SELECT * FROM users WHERE id = ANY ($1)", [ids])
        let profiles = try rows.map { try UserProfile(stored: $0) }
        let byID = Dictionary(profiles.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { byID[UserID(rawValue: $0)] }
    }

    /// Restores a user from the row.
    init(stored row: PostgresRow) throws {
        self.init(id: UserID(rawValue: try row.text("id")), createdAt: try row.double("created_at"))
        firstSeenAt = try row.optionalDouble("first_seen_at")
        lastSeenAt = try row.optionalDouble("last_seen_at")
        device = DeviceContext(
            locale: try row.optionalText("locale"),
            timeZone: try row.optionalText("time_zone"),
            appVersion: try row.optionalText("app_version")
        )
        custom = try StoredAttributes.custom(row.optionalText("custom").map(JSONValue.init(parsing:)))
        let attributes = try row.optionalText("standard").map(JSONValue.init(parsing:))
        standard = try StoredAttributes.standard(attributes, &claimed)
    }
}
