import CardStore

extension WriteSession {
    /// Throws where a table has as many rows as it may have; nodes that write at the same moment may add one each.
    func checkRoom(_ limit: WorkspaceLimit, in table: String) throws {
        try limit.check(connection.row("SELECT count(*) AS n FROM \(table)")?.integer("n") ?? 0)
    }

    /// Throws where contents that grow by so many bytes would have more than they may.
    func checkRoom(_ limit: WorkspaceLimit, for growth: Int64, in rows: String) throws {
        guard growth > 0 else { return }
        let sql = "SELECT coalesce(sum(octet_length(content)), 0)::bigint AS n FROM \(rows)"
        try limit.check(connection.row(sql)?.integer("n") ?? 0, adding: growth)
    }
}
