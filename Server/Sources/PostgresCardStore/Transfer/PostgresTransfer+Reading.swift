import CardModel
package import CardStore

extension PostgresTransfer {
    package func count(of table: TransferTable) throws(StoreError) -> Int64 {
        try translatingErrors {
            let keys = table.key.map(Self.quoted).joined(separator: ", ")
            let name = Self.quoted(table.name)
            let rows = summed.contains(table.name) ? "(SELECT DISTINCT \(keys) FROM \(name)) AS t" : name
            return try connection.row("SELECT count(*) AS rows FROM \(rows)")?.integer("rows") ?? 0
        }
    }

    package func rows(
        of table: TransferTable,
        after key: [TransferValue]?,
        limit: Int
    ) throws(StoreError) -> [[TransferValue]] {
        try translatingErrors {
            let values = (key ?? []).map(Self.parameter) + [limit as any PostgresEncodable]
            let rows = try connection.rows(statement(table, isFirst: key == nil), values)
            return try rows.map { row in try table.columns.map { try Self.value($0, in: row) } }
        }
    }

    private func statement(_ table: TransferTable, isFirst: Bool) -> String {
        let isSummed = summed.contains(table.name)
        let columns = table.columns.map { column -> String in
            let name = Self.quoted(column.name)
            guard isSummed, !table.key.contains(column.name) else {
                return column.kind == .amount ? "\(name)::TEXT AS \(name)" : name
            }
            switch column.kind {
            case .integer: return "sum(\(name))::BIGINT AS \(name)"
            case .amount: return "sum(\(name))::TEXT AS \(name)"
            // In one order, since sums of fractions depend on it.
            default: return "sum(\(name) ORDER BY \(Self.slot)) AS \(name)"
            }
        }
        let keys = table.key.map(Self.quoted).joined(separator: ", ")
        let places = table.key.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let limit = isFirst ? 1 : table.key.count + 1
        return """
            SELECT \(columns.joined(separator: ", ")) FROM \(Self.quoted(table.name))
            \(isFirst ? "" : "WHERE (\(keys)) > (\(places))") \(isSummed ? "GROUP BY \(keys)" : "")
            ORDER BY \(keys) LIMIT $\(limit)
            """
    }

    static func quoted(_ name: String) -> String { "\"\(name)\"" }

    private static func parameter(_ value: TransferValue) -> any PostgresEncodable {
        switch value {
        case .null: String?.none
        case .integer(let number): number
        case .real(let number): number
        case .text(let text): UTF8Text(text)
        case .bytes(let bytes): bytes
        }
    }

    static func value(_ column: TransferTable.Column, in row: PostgresRow) throws -> TransferValue {
        guard try !row.isNull(column.name) else { return .null }
        return switch column.kind {
        case .integer: .integer(try row.integer(column.name))
        case .flag: .integer(try row.flag(column.name) ? 1 : 0)
        case .real: .real(try row.double(column.name))
        case .text: .text(try row.bytes(column.name))
        case .bytes: .bytes(try row.bytes(column.name))
        case .amount: .text(Array(try row.amount(column.name).description.utf8))
        }
    }

    // MARK: What isn't a row

    package func head() throws(StoreError) -> TransferHead {
        try translatingErrors {
            let row = try connection.row(
                """
                SELECT generation, settings, checked_at, user_hash_key, secrets_key,
                    (SELECT position FROM log_head WHERE id = 1) AS log_position,
                    (SELECT position FROM webhook_notice_head WHERE id = 1) AS notice_position
                FROM store WHERE id = 1
                """
            )
            guard let row else { throw StoreError.unreadable("no row of its own") }
            return TransferHead(
                generation: try row.integer("generation"),
                settings: try row.bytes("settings"),
                checkedAt: try row.double("checked_at"),
                userHashKey: try row.bytes("user_hash_key"),
                secretsKey: try row.optionalBytes("secrets_key"),
                logPosition: try row.integer("log_position"),
                noticePosition: try row.integer("notice_position")
            )
        }
    }

    package func fingerprint() throws(StoreError) -> [UInt8] {
        let head = try head()
        return try translatingErrors {
            let row = try connection.row(
                """
                SELECT (SELECT epoch FROM store WHERE id = 1) AS epoch, count(*) AS users,
                    coalesce(sum(version), 0)::TEXT AS versions,
                    (SELECT coalesce(sum(catalog_changes + user_changes), 0)::TEXT FROM signals) AS changes,
                    (SELECT last_position FROM audit_chain WHERE id = 1) AS audit_position,
                    (SELECT last_hash FROM audit_chain WHERE id = 1) AS audit_hash
                FROM users
                """
            )
            guard let row else { throw StoreError.unreadable("no row of its own") }
            return head.fingerprint(with: [
                .integer(try row.integer("epoch")), .integer(try row.integer("users")),
                .text(try row.bytes("versions")), .text(try row.bytes("changes")),
                .integer(try row.integer("audit_position")), .bytes(try row.bytes("audit_hash")),
            ])
        }
    }
}
