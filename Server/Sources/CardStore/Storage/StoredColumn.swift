import CardModel
import WireJSON

/// A column of rows of which there are many, each read for one user or one event alone: one that can't be read breaks
/// that user's feed or is left out, and no list has it.
package struct StoredColumn: Sendable {
    /// A row of which the column can't be read.
    package struct Flaw: Sendable, Hashable {
        /// The name of what can't be read, with the key of its row.
        package let title: String
        /// The values of the key's columns.
        package let key: [String]
    }

    /// The most flaws of a column that are looked for, so that a database which was damaged all over is named soon.
    package static let flawLimit = 1_000

    /// The name of what it is of, in the words that a flaw is named with.
    private let title: String
    /// The table.
    package let table: String
    /// The columns of its key.
    package let key: [String]
    /// The columns that are read.
    package let columns: [String]
    /// The statement that takes what can't be read away, before its condition.
    private let removal: @Sendable (_ key: [String]) -> String
    private let read: @Sendable (any StoredRow) throws -> Void

    private init(
        _ title: String,
        in table: String,
        key: [String],
        _ columns: [String],
        removesRow: Bool = false,
        correction: (@Sendable (_ key: [String]) -> String)? = nil,
        _ read: @escaping @Sendable (any StoredRow) throws -> Void
    ) {
        (self.title, self.table, self.key, self.columns, self.read) = (title, table, key, columns, read)
        let cleared = columns.map { "\($0) = NULL" }.joined(separator: ", ")
        let statement = removesRow ? "DELETE FROM \(table)" : "UPDATE \(table) SET \(cleared)"
        if let correction { removal = correction } else { removal = { _ in statement } }
    }

    /// Every column, in the order in which they are looked at.
    package static let all = [
        StoredColumn("the custom attributes of the user", in: "users", key: ["id"], ["custom"]) {
            _ = try StoredAttributes.custom(json($0, "custom"))
        },
        StoredColumn("the standard attributes of the user", in: "users", key: ["id"], ["standard"]) {
            _ = try StoredAttributes.standard(json($0, "standard"))
        },
        StoredColumn(
            "the history of the user",
            in: "histories",
            key: ["user_id", "part", "name", "currency"],
            ["count", "first_at", "last_at", "revenue", "recent"],
            removesRow: true,
            readHistory
        ),
        StoredColumn("the frozen card", in: "deliveries", key: ["user_id", "card_id"], ["rendered"]) { row in
            guard let kept = try row.optionalBytes("rendered") else { return }
            guard FrozenCard.isReadable(kept) else { throw StoreError.unreadable("a card") }
        },
        StoredColumn("the properties of the card", in: "deliveries", key: ["user_id", "card_id"], ["properties"]) {
            try readObject($0, "properties")
        },
        StoredColumn("the test card", in: "test_cards", key: ["user_id", "card_id"], ["members"], removesRow: true) {
            guard FrozenCard.isReadable(members: try $0.bytes("members")) else { throw StoreError.unreadable("a card") }
        },
        StoredColumn(
            "the properties of the trigger",
            in: "triggers",
            key: ["user_id", "campaign_id", "trigger_id"],
            ["properties"]
        ) { try readObject($0, "properties") },
        StoredColumn("the event", in: "events", key: ["position"], ["details"]) { _ = try json($0, "details") },
        StoredColumn("the event", in: "events", key: ["position"], ["id"], removesRow: true) {
            guard EventID(bytes: try $0.bytes("id")) != nil else { throw StoreError.unreadable("an event") }
        },
        StoredColumn(
            "the type, user or time of the event",
            in: "events",
            key: ["position"],
            ["type", "user_id", "at", "received_at"],
            removesRow: true,
            readEvent
        ),
        StoredColumn(
            "the version or sample rank of the user",
            in: "users",
            key: ["id"],
            ["version", "sample_rank"],
            correction: userCorrection,
            readUser
        ),
    ]

    /// The statement that reads every row which has a value.
    package var query: String {
        let names = (key + columns).joined(separator: ", ")
        let condition = columns.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
        return "SELECT \(names) FROM \(table) WHERE \(condition)"
    }

    /// Returns the statements that take what can't be read away, and have devices of its user look again.
    package func removal(of flaw: Flaw) -> [String] {
        guard flaw.key.count == key.count else { return [] }
        func literal(_ text: String) -> String {
            // By its bytes: behind a letter such as U+0D4E, an apostrophe is a part of that letter to Swift.
            let doubled = text.utf8.flatMap { $0 == UInt8(ascii: "'") ? [$0, $0] : [$0] }
            return "'\(String(decoding: doubled, as: UTF8.self))'"
        }
        let condition = zip(key, flaw.key).map { "\($0) = \(literal($1))" }.joined(separator: " AND ")
        var statements = ["\(removal(flaw.key)) WHERE \(condition)"]
        guard table != "events", let user = flaw.key.first else { return statements }
        statements.append("UPDATE users SET version = version + 1 WHERE id = \(literal(user))")
        guard table == "deliveries" else { return statements }
        statements.append(
            "UPDATE deliveries SET changed_at = (SELECT version FROM users WHERE id = user_id) WHERE \(condition)"
        )
        return statements
    }

    /// Returns what is wrong with a row, or `nil` where it can be read.
    package func flaw(of row: any StoredRow) -> Flaw? {
        do {
            try read(row)
            return nil
        } catch {
            let values = key.map { name in (try? row.text(name)) ?? (try? row.integer(name)).map(String.init) }
            let shown = values.map { $0 ?? "?" }.joined(separator: " ").prefix(100)
            // A key that can't be read stands for no row: another one may have its name.
            let isReadable = values.allSatisfy { $0?.unicodeScalars.contains("\u{FFFD}") == false }
            return Flaw(title: "\(title) “\(shown)”", key: isReadable ? values.compactMap { $0 } : [])
        }
    }

    /// Makes the finding of a doctor.
    ///
    /// - Parameters:
    ///   - flaws: Returns the rows of a column that can't be read, ``flawLimit`` at most.
    ///   - command: Says what removes what was found.
    /// - Returns: The first ones that can't be read.
    /// - Throws: What reading the rows throws.
    package static func finding(
        flaws: (StoredColumn) throws -> [Flaw],
        command: (_ statements: [String]) -> String
    ) rethrows -> StoreFinding {
        let found = try all.flatMap { column in try flaws(column).map { (column: column, flaw: $0) } }
        guard let first = found.first else {
            return StoreFinding(level: .good, subject: "rows", message: "users, cards and events can be read")
        }
        let others = found.dropFirst().prefix(4).map { ", \($0.flaw.title)" }.joined()
        let more = found.count > 5 ? " and \(found.count - 5) more" : ""
        return StoreFinding(
            level: .bad,
            subject: "rows",
            message: "These can't be read, or can't be right: \(first.flaw.title)\(others)\(more). Such a user gets no "
                + "answers or wrong ones, and such cards and events are left out or lead others astray. A backup may "
                + "have them; the command corrects what follows from other rows, and takes the rest away.",
            command: command(found.prefix(5).flatMap { $0.column.removal(of: $0.flaw) })
        )
    }

    private static func json(_ row: any StoredRow, _ column: String) throws -> JSONValue? {
        try row.optionalText(column).map { try JSONValue(parsing: $0) }
    }

    private static func readObject(_ row: any StoredRow, _ column: String) throws {
        guard try json(row, column)?.object != nil else { throw StoreError.unreadable("an object") }
    }

    private static func readEvent(_ row: any StoredRow) throws {
        let times = [try row.double("at"), try row.double("received_at")]
        guard EventFilter.typeNames.contains(try row.text("type")), !(try row.text("user_id")).isEmpty,
            times.allSatisfy({ Timestamp.range.contains($0) })
        else { throw StoreError.unreadable("an event") }
    }

    private static func readUser(_ row: any StoredRow) throws {
        let rank = SampleRank.of(UserID(rawValue: try row.text("id")))
        guard try row.integer("sample_rank") == rank, try row.integer("version") >= 0 else {
            throw StoreError.unreadable("a user")
        }
    }

    /// The rank follows from the id; a version is past all that the user's cards have.
    private static func userCorrection(_ key: [String]) -> String {
        let rank = SampleRank.of(UserID(rawValue: key.first ?? ""))
        let version = "coalesce((SELECT max(d.changed_at) FROM deliveries AS d WHERE d.user_id = users.id), 0) + 1"
        return """
            UPDATE users SET sample_rank = \(rank), \
            version = CASE WHEN version < 0 THEN \(version) ELSE version END
            """
    }

    private static func readHistory(_ row: any StoredRow) throws {
        let part = UserHistory.Parts(rawValue: UInt8(truncatingIfNeeded: try row.integer("part")))
        let (count, first, last) = (try row.integer("count"), try row.double("first_at"), try row.double("last_at"))
        _ = try row.bytes("recent").withUnsafeBytes { recent in
            try HistorySummary(of: part, count: count, first: first, last: last, recent: recent) {
                guard let amount = Amount(exactly: try row.text("revenue")) else {
                    throw StoreError.unreadable("an amount")
                }
                return amount
            }
        }
    }
}
