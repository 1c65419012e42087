import CardStore

/// Rows of a table as they are, to be written to another database of the same version.
struct TableRows: Sendable {
    /// The name of the table.
    let table: String
    /// The columns, in the order of their names, which is that of the values.
    let columns: [TransferTable.Column]
    /// The values of each row.
    let rows: [[TransferValue]]

    // MARK: Reading

    /// Returns the columns of tables, by their names.
    static func columns(
        of tables: [String],
        on connection: PostgresConnection
    ) throws -> [String: [TransferTable.Column]] {
        let rows = try connection.rows("\(PostgresTransfer.columnList) AND c.relname = ANY ($1)", [tables])
        let columns: [String: [TransferTable.Column]] = try rows.reduce(into: [:]) { columns, row in
            let column = TransferTable.Column(try row.text("column_name"), try PostgresTransfer.kind(of: row))
            columns[try row.text("table_name"), default: []].append(column)
        }
        return columns.mapValues { $0.sorted { $0.name < $1.name } }
    }

    /// Returns what reads rows of a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - columns: Its columns.
    ///   - condition: Which rows; what follows `WHERE`.
    ///   - values: The parameters of the condition.
    /// - Returns: The statement.
    static func query(
        _ table: String,
        _ columns: [TransferTable.Column],
        where condition: String,
        _ values: [any PostgresEncodable] = []
    ) -> PostgresQuery {
        let names = columns.map { PostgresTransfer.quoted($0.name) }.joined(separator: ", ")
        return PostgresQuery("SELECT \(names) FROM \(PostgresTransfer.quoted(table)) WHERE \(condition)", values)
    }

    /// Takes the rows of ``query(_:_:where:_:)``.
    init(_ table: String, _ columns: [TransferTable.Column], _ rows: [PostgresRow]) throws {
        (self.table, self.columns) = (table, columns)
        self.rows = try rows.map { row in try columns.map { try PostgresTransfer.value($0, in: row) } }
    }

    /// Takes some of other rows.
    private init(_ other: TableRows, _ rows: [[TransferValue]]) {
        (table, columns, self.rows) = (other.table, other.columns, rows)
    }

    /// Joins rows of one table, read with the same columns; `nil` for none.
    init?(joining parts: [TableRows]) {
        guard let first = parts.first else { return nil }
        self.init(first, parts.flatMap(\.rows))
    }

    /// Returns the rows that a condition leaves.
    func filter(_ isIncluded: (TransferRow) throws -> Bool) rethrows -> TableRows {
        let table = TransferTable(table, columns: columns, key: [])
        return TableRows(self, try rows.filter { try isIncluded(TransferRow($0, of: table)) })
    }

    /// Returns the rows that aren't among others.
    func subtracting(_ others: Set<[TransferValue]>) -> TableRows {
        TableRows(self, rows.filter { !others.contains($0) })
    }

    /// The rows, read by the names of their columns.
    var named: [TransferRow] {
        let table = TransferTable(table, columns: columns, key: [])
        return rows.map { TransferRow($0, of: table) }
    }

    // MARK: Writing

    /// Inserts the rows.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - key: The columns by which a row that is there already is known, to be replaced; without any there is none.
    /// - Throws: What the server says.
    func insert(into connection: PostgresConnection, replacing key: [String] = []) throws {
        var conflict = ""
        if !key.isEmpty {
            let keys = key.map(PostgresTransfer.quoted).joined(separator: ", ")
            let names = columns.map { PostgresTransfer.quoted($0.name) }
            let changes = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            conflict = " ON CONFLICT (\(keys)) DO UPDATE SET \(changes)"
        }
        try insert(into: connection, onConflict: conflict)
    }

    /// Inserts the rows, with what follows where a row of the same key is there already.
    func insert(into connection: PostgresConnection, onConflict conflict: String) throws {
        guard !rows.isEmpty else { return }
        let names = columns.map { PostgresTransfer.quoted($0.name) }
        // safe: a count of columns
        let arrays = columns.enumerated().map { "$\($0 + 1)::\($1.kind.sqlType)[]" }.joined(separator: ", ")
        let sql = """
            INSERT INTO \(PostgresTransfer.quoted(table)) (\(names.joined(separator: ", ")))
            SELECT * FROM unnest(\(arrays))\(conflict)
            """
        let values = columns.indices.map { place in columns[place].kind.array(of: rows.map { $0[place] }) }
        try connection.execute(sql, values)
    }
}

extension TransferTable.Column.ColumnKind {
    /// The type of a parameter with values of a column.
    var sqlType: String {
        switch self {
        case .integer: "BIGINT"
        case .flag: "BOOLEAN"
        case .real: "DOUBLE PRECISION"
        case .text: "TEXT"
        case .bytes: "BYTEA"
        case .amount: "NUMERIC"
        }
    }

    /// Returns the values of a column as a parameter.
    fileprivate func array(of values: [TransferValue]) -> any PostgresEncodable {
        switch self {
        case .integer: values.map(\.number)
        case .flag: values.map { value in value.number.map { $0 != 0 } }
        case .real: values.map(\.real)
        case .text, .amount: values.map { UTF8Text($0.content) }
        case .bytes: values.map(\.content)
        }
    }
}

extension TransferValue {
    fileprivate var number: Int64? { if case .integer(let number) = self { number } else { nil } }

    fileprivate var real: Double? { if case .real(let number) = self { number } else { nil } }

    fileprivate var content: [UInt8]? {
        switch self {
        case .text(let bytes), .bytes(let bytes): bytes
        default: nil
        }
    }
}
