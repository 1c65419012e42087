import CardStore
import GRDB

extension WriteSession {
    /// Throws where a table has as many rows as it may have.
    func checkRoom(_ limit: WorkspaceLimit, in table: String) throws {
        try limit.check(Int64.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0)
    }

    /// Throws where contents that grow by so many bytes would have more than they may.
    func checkRoom(_ limit: WorkspaceLimit, for growth: Int64, in rows: String) throws {
        guard growth > 0 else { return }
        // A text's length is that of its characters.
        let sql = "SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) FROM \(rows)"
        try limit.check(Int64.fetchOne(database, sql: sql) ?? 0, adding: growth)
    }
}
