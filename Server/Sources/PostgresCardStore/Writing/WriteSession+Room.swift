import CardStore

extension WriteSession {
    /// Throws where a table has as many rows as it may have; nodes that write at the same moment may add one each.
    func checkRoom(_ limit: WorkspaceLimit, in table: String) throws {
        try limit.check(connection.row("SELECT count(*) AS n FROM \(table)")?.integer("n") ?? 0)
    }
}
