import CardModel
package import CardStore
import WireJSON

extension PostgresTransfer {
    package func unfinishedCopy() throws(StoreError) -> UnfinishedCopy? {
        try translatingErrors {
            guard try hasUnfinishedCopy() else { return nil }
            var (states, fingerprint): ([String: TransferState], [UInt8]) = ([:], [])
            for row in try connection.rows("SELECT * FROM \(UnfinishedCopy.table)") {
                let (name, digest) = (try row.text("name"), try row.bytes("digest"))
                guard !name.isEmpty else {
                    fingerprint = digest
                    continue
                }
                var state = TransferState()
                guard let stored = TransferDigest(bytes: digest) else { throw StoreError.unreadable("a digest") }
                state.digest = stored
                state.copied = try row.integer("count")
                state.lastKey = try row.optionalBytes("last_key").flatMap(TransferCoding.decode)
                state.isDone = try row.flag("is_done")
                states[name] = state
            }
            return UnfinishedCopy(fingerprint: fingerprint, states: states)
        }
    }

    package func begin(_ fingerprint: [UInt8]) throws(StoreError) {
        let tables = try tables()
        try transaction {
            for table in tables where !table.isReplaced {
                let sql = "SELECT EXISTS (SELECT 1 FROM \(Self.quoted(table.name))) AS found"
                guard try connection.row(sql)?.flag("found") == false else { throw Self.notEmpty }
            }
            for table in tables where table.isReplaced {
                try connection.execute("DELETE FROM \(Self.quoted(table.name))")
            }
            try connection.simple(
                """
                CREATE TABLE \(UnfinishedCopy.table) (
                    name \(ColumnType.text) PRIMARY KEY,
                    count BIGINT NOT NULL,
                    digest BYTEA NOT NULL,
                    last_key BYTEA,
                    is_done BOOLEAN NOT NULL
                )
                """
            )
            try connection.execute(
                "INSERT INTO \(UnfinishedCopy.table) (name, count, digest, is_done) VALUES ('', 0, $1, FALSE)",
                [fingerprint]
            )
            try connection.execute(
                "INSERT INTO placard_migrations (identifier) VALUES ($1)",
                [UnfinishedCopy.mark]
            )
        }
    }

    package func append(
        _ rows: [[TransferValue]],
        to table: TransferTable,
        advancing old: TransferState,
        to new: TransferState
    ) throws(StoreError) {
        try transaction {
            try advance(table.name, from: old, to: new)
            guard !rows.isEmpty else { return }
            var lines = PostgresCopyLines(table, isSummed: summed.contains(table.name))
            for row in rows { try lines.append(row) }
            let columns = lines.columns.map(Self.quoted).joined(separator: ", ")
            try connection.copy("COPY \(Self.quoted(table.name)) (\(columns)) FROM STDIN", lines.bytes)
        }
    }

    /// Remembers how far a table is, unless another process copies it too.
    private func advance(_ table: String, from old: TransferState, to new: TransferState) throws {
        let changed = try connection.execute(
            """
            INSERT INTO \(UnfinishedCopy.table) AS c (name, count, digest, last_key,
                is_done) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (name) DO UPDATE SET count = $2, digest = $3, last_key = $4, is_done = $5
            WHERE c.count = $6 AND NOT c.is_done
            """,
            [table, new.copied, new.digest.bytes, new.lastKey.map(TransferCoding.encode), new.isDone, old.copied]
        )
        guard changed == 1 else { throw StoreError.copiedElsewhere }
    }

    package func finish(_ head: TransferHead, users: Int64) throws(StoreError) {
        try transaction(isDurable: true) {
            try connection.execute(
                """
                UPDATE store SET generation = $1, settings = $2, checked_at = $3, user_hash_key = $4, secrets_key = $5
                WHERE id = 1
                """,
                [head.generation, UTF8Text(head.settings), head.checkedAt, head.userHashKey, head.secretsKey]
            )
            try connection.execute("UPDATE log_head SET position = $1 WHERE id = 1", [head.logPosition])
            try connection.execute("UPDATE webhook_notice_head SET position = $1 WHERE id = 1", [head.noticePosition])
            try connection.execute("DELETE FROM user_counts")
            try connection.execute("INSERT INTO user_counts (slot, users) VALUES (0, $1)", [users])
            for (table, column) in identities {
                let name = Self.quoted(column)
                _ = try connection.row(
                    """
                    SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), greatest(max(\(name)), 1),
                        max(\(name)) IS NOT NULL) AS value FROM \(Self.quoted(table))
                    """
                )
            }
            try connection.execute("DELETE FROM placard_migrations WHERE identifier = $1", [UnfinishedCopy.mark])
            try connection.simple("DROP TABLE \(UnfinishedCopy.table)")
        }
        // Plans of queries depend on what is known of the tables.
        try transaction { try connection.simple("ANALYZE") }
    }

    /// Runs a body in a transaction.
    ///
    /// One that isn't durable may be lost when the server dies, together with how far the copy was.
    private func transaction(isDurable: Bool = false, _ body: () throws -> Void) throws(StoreError) {
        try translatingErrors {
            let commit = isDurable ? "" : "; SET LOCAL synchronous_commit = off"
            try connection.simple("BEGIN; \(settings.transactionSettings); SET LOCAL statement_timeout = 0\(commit)")
            do {
                try body()
                try connection.commit()
            } catch {
                try? connection.simple("ROLLBACK")
                throw error
            }
        }
    }

    private static let notEmpty = StoreError(
        .exists,
        "The target isn't empty. Create a new database for the copy, or drop what is in this one."
    )
}

/// Rows in the text format of `COPY`.
struct PostgresCopyLines {
    /// The columns of a row, in order.
    let columns: [String]
    /// The rows.
    private(set) var bytes: [UInt8] = []
    private let table: TransferTable
    private let isSummed: Bool

    private static let null: [UInt8] = [UInt8(ascii: "\\"), UInt8(ascii: "N")]
    private static let digits = Array("0123456789abcdef".utf8)

    init(_ table: TransferTable, isSummed: Bool) {
        self.table = table
        self.isSummed = isSummed
        let derived: [String] =
            switch table.name {
            case "campaigns": ["name", "folded_name", "has_segments", "has_conversions"]
            case "users": ["email", "folded_email", "phone", "folded"]
            default: []
            }
        columns = table.columns.map(\.name) + derived + (isSummed ? [PostgresTransfer.slot] : [])
    }

    /// Appends a row.
    mutating func append(_ row: [TransferValue]) throws {
        for (place, (column, value)) in zip(table.columns, row).enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: "\t")) }
            append(value, column.kind)
        }
        for value in try derived(from: row) {
            bytes.append(UInt8(ascii: "\t"))
            append(value, .text)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private func derived(from row: [TransferValue]) throws -> [TransferValue] {
        if isSummed { return [.integer(0)] }
        switch table.name {
        case "campaigns":
            let content = try Campaign(TransferRow(row, of: table)).content
            return [
                .init(content.name), .init(SearchText.lowercased(content.name)),
                .init(content.audience.segments.isEmpty ? "f" : "t"), .init(content.conversions.isEmpty ? "f" : "t"),
            ]
        case "users":
            let user = TransferRow(row, of: table)
            var profile = UserProfile(id: UserID(rawValue: try user.text("id")), createdAt: 0)
            let standard = try user.optionalText("standard").map { try JSONValue(parsing: $0) }
            profile.standard = try StoredAttributes.standard(standard)
            return profile.searchedTexts.map { .init($0) }
        default: return []
        }
    }

    private mutating func append(_ value: TransferValue, _ kind: TransferTable.Column.ColumnKind) {
        switch value {
        case .null: bytes += Self.null
        case .integer(let number):
            bytes += kind == .flag ? [UInt8(ascii: number == 0 ? "f" : "t")] : Array(String(number).utf8)
        case .real(let number): bytes += Array(number.description.utf8)
        case .text(let text): append(text: text)
        case .bytes(let content):
            bytes += Array("\\\\x".utf8)
            for byte in content {
                bytes.append(Self.digits[Int(byte >> 4)])  // safe: four bits, here and below
                bytes.append(Self.digits[Int(byte & 15)])
            }
        }
    }

    private mutating func append(text: [UInt8]) {
        var stored: [UInt8] = []
        stored.reserveCapacity(text.count)
        text.withUnsafeBufferPointer { EscapedText.append($0, to: &stored) }
        for byte in stored {
            switch byte {
            case UInt8(ascii: "\\"): bytes += [byte, byte]
            case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case UInt8(ascii: "\t"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            default: bytes.append(byte)
            }
        }
    }
}

extension TransferValue {
    fileprivate init(_ text: String?) { self = text.map { .text(Array($0.utf8)) } ?? .null }
}
