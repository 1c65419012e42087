import CardStoreConformance
import GRDB
import SQLiteCardStore

/// Opens the file of a store as another program would.
func withDatabase<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction(body)
}

extension SQLiteCardStore {
    /// What the doctor says of one subject.
    func finding(_ subject: String) async -> Finding? {
        await diagnose().first { $0.subject == subject }
    }
}

extension Database {
    /// The number of events in the log.
    func storedEventCount() throws -> Int {
        try Int.fetchOne(self, sql: "SELECT count(*) FROM events") ?? 0
    }
}
