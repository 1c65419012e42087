import CardStore

/// All that a database has counted, which the home takes over from one that is taken away.
///
/// Rows of the home are the sums over the slots of its nodes. What was counted elsewhere gets a slot that no node has:
/// the number of the shard, as a negative one.
package struct ShardCounts: Sendable {
    private let slotted: [TableRows]
    private let withheld: TableRows
    private let problems: TableRows

    /// The tables with a row for each slot, and the columns that tell their rows apart beside it.
    private static let tables: [(name: String, key: [String])] = [
        ("counts", ["campaign_id", "utc_day", "local_day", "variant_id"]), ("day_totals", ["local_day"]),
        ("conversion_counts", ["campaign_id", "utc_day", "local_day", "variant_id", "conversion"]),
        ("amount_counts", ["campaign_id", "utc_day", "local_day", "variant_id", "conversion", "currency"]),
        ("divisions", ["campaign_id", "weights", "variant_id"]),
    ]

    /// The names of all tables with counts.
    static let names = tables.map(\.name) + ["withheld_counts", "problems"]

    private static let withheldConflict = """
         ON CONFLICT (campaign_id, utc_day, local_day, variant_id, kind, reason) DO UPDATE SET
        users = withheld_counts.users + excluded.users
        """

    private static let problemConflict = """
         ON CONFLICT (campaign_id, variant_id, class_type, field) DO UPDATE SET
        count = problems.count + excluded.count,
        message = CASE WHEN excluded.last_at > problems.last_at THEN excluded.message ELSE problems.message END,
        last_at = greatest(problems.last_at, excluded.last_at)
        """

    /// Reads what a shard has counted.
    init(ofShard id: Int64, on connection: PostgresConnection) throws {
        let columns = try TableRows.columns(of: Self.names, on: connection)
        slotted = try Self.tables.map { table in
            let own = columns[table.name, default: []]
            let sums = own.map { column in
                let name = PostgresTransfer.quoted(column.name)
                if column.name == "slot" { return "-\(id)::BIGINT AS slot" }
                // An amount is read as its digits.
                let type = column.kind == .amount ? "TEXT" : column.kind.sqlType
                return table.key.contains(column.name) ? name : "sum(\(name))::\(type) AS \(name)"
            }
            let key = table.key.map(PostgresTransfer.quoted).joined(separator: ", ")
            let sql = "SELECT \(sums.joined(separator: ", ")) FROM \(table.name) GROUP BY \(key) ORDER BY \(key)"
            return try TableRows(table.name, own, try connection.rows(sql))
        }
        func all(_ table: String, in order: String) throws -> TableRows {
            let own = columns[table, default: []]
            let query = TableRows.query(table, own, where: "TRUE ORDER BY \(order)")
            return try TableRows(table, own, try connection.rows(of: [query]).first ?? [])
        }
        withheld = try all("withheld_counts", in: "campaign_id, utc_day, local_day, variant_id, kind, reason")
        problems = try all("problems", in: "campaign_id, variant_id, class_type, field")
    }

    /// Adds it to what another database has.
    func insert(into connection: PostgresConnection) throws {
        for table in slotted { try table.insert(into: connection) }
        try withheld.insert(into: connection, onConflict: Self.withheldConflict)
        try problems.insert(into: connection, onConflict: Self.problemConflict)
    }
}

extension PostgresCardStore {
    /// Reads all that this database has counted, at one moment, once it has no users any more.
    package func shardCounts() async throws -> ShardCounts {
        let shard = shardID
        return try await longSnapshot { try ShardCounts(ofShard: shard, on: $0) }
    }
}
