package import CardStore

extension SQLiteTransfer {
    package func count(of table: TransferTable) throws(StoreError) -> Int64 {
        try translatingErrors {
            guard table != Self.pictures else { return try countOfPictures() }
            return try integer("SELECT count(*) FROM \(Self.quoted(table.name))")
        }
    }

    package func rows(
        of table: TransferTable,
        after key: [TransferValue]?,
        limit: Int
    ) throws(StoreError) -> [[TransferValue]] {
        try translatingErrors {
            guard table != Self.pictures else { return try pictureRows(after: key, limit: limit) }
            let columns = table.columns.map { Self.quoted($0.name) }.joined(separator: ", ")
            let keys = table.key.map(Self.quoted).joined(separator: ", ")
            let places = table.key.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            let sql = """
                SELECT \(columns) FROM \(Self.quoted(table.name)) \(key == nil ? "" : "WHERE (\(keys)) > (\(places))")
                ORDER BY \(keys) LIMIT \(limit)
                """
            return try PreparedStatement(sql, on: handle).use { statement in
                for (place, value) in (key ?? []).enumerated() { statement.bind(Int32(clamping: place + 1), value) }
                var rows: [[TransferValue]] = []
                while try statement.step() {
                    rows.append(
                        table.columns.enumerated().map { statement.value(Int32(clamping: $0.offset), $0.element.kind) }
                    )
                }
                return rows
            }
        }
    }

    static func quoted(_ name: String) -> String { "\"\(name)\"" }

    func integer(_ sql: String) throws -> Int64 {
        try PreparedStatement(sql, on: handle).use { try $0.step() ? $0.integer(0) : 0 }
    }

    // MARK: What isn't a row

    package func head() throws(StoreError) -> TransferHead {
        try translatingErrors {
            let sql = """
                SELECT generation, settings, checked_at, user_hash_key, secrets_key,
                    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events'),
                    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'webhook_notices')
                FROM store WHERE id = 1
                """
            return try PreparedStatement(sql, on: handle).use { row in
                guard try row.step() else { throw StoreError.unreadable("no row of its own") }
                return TransferHead(
                    generation: row.integer(0),
                    settings: row.bytes(1) ?? [],
                    checkedAt: row.double(2),
                    userHashKey: row.withBlob(3) { Array($0) },
                    secretsKey: row.isNull(4) ? nil : row.withBlob(4) { Array($0) },
                    logPosition: row.integer(5),
                    noticePosition: row.integer(6)
                )
            }
        }
    }

    package func fingerprint() throws(StoreError) -> [UInt8] {
        let head = try head()
        return try translatingErrors {
            let sql = """
                SELECT (SELECT epoch FROM store WHERE id = 1), count(*), total(version),
                    (SELECT coalesce(sum(catalog_changes + user_changes), 0) FROM writers),
                    (SELECT last_position FROM audit_chain WHERE id = 1),
                    (SELECT last_hash FROM audit_chain WHERE id = 1)
                FROM users
                """
            return try PreparedStatement(sql, on: handle).use { row in
                guard try row.step() else { throw StoreError.unreadable("no row of its own") }
                return head.fingerprint(with: [
                    .integer(row.integer(0)), .integer(row.integer(1)), .real(row.double(2)), .integer(row.integer(3)),
                    .integer(row.integer(4)), .bytes(row.withBlob(5) { Array($0) }),
                ])
            }
        }
    }
}

extension PreparedStatement {
    fileprivate func value(_ column: Int32, _ kind: TransferTable.Column.ColumnKind) -> TransferValue {
        if isNull(column) { return .null }
        return switch kind {
        case .integer, .flag: .integer(integer(column))
        case .real: .real(double(column))
        case .text, .amount: .text(bytes(column) ?? [])
        case .bytes: .bytes(withBlob(column) { Array($0) })
        }
    }

    func bind(_ index: Int32, _ value: TransferValue) {
        switch value {
        case .null: bindNull(index)
        case .integer(let number): bind(index, number)
        case .real(let number): bind(index, number)
        case .text(let text): bind(index, utf8: text)
        case .bytes(let bytes) where bytes.isEmpty:
            // A blob without an address would be NULL.
            [UInt8(0)].withUnsafeBytes { bind(index, blob: UnsafeRawBufferPointer(rebasing: $0.prefix(0))) }
        case .bytes(let bytes): bind(index, blob: bytes)
        }
    }
}
