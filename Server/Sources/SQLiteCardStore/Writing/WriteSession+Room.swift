import CardStore
import GRDB

extension WriteSession {
    /// Throws where a table has as many rows as it may have.
    func checkRoom(_ limit: WorkspaceLimit, in table: String) throws {
        try limit.check(Int64.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0)
    }
}
