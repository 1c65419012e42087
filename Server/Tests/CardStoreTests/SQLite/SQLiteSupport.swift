import CardStoreConformance
import GRDB
import SQLiteTesting

@testable import SQLiteCardStore

/// Opens the file of a store as another program would.
func withDatabase<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction(body)
}

/// Runs a test with a store in a folder of its own, which is closed and removed afterwards.
func withSQLiteStore(
    _ options: SQLiteCardStore.Options = SQLiteCardStore.Options(),
    _ body: (SQLiteCardStore) async throws -> Void
) async throws {
    try await withFolder { folder in
        let path = folder + "/placard.sqlite"
        try await PreparedDatabase.put(at: path)
        let store = try SQLiteCardStore(path: path, options: options)
        try await body(store)
        try await store.close()
    }
}

extension SQLiteCardStore {
    /// Looks at the database as an operator would.
    func diagnose() async -> [Finding] {
        await Self.diagnose(path: path, secretsKey: options.secretsKey, isFull: false)
    }

    /// What the doctor says of one subject.
    func finding(_ subject: String) async -> Finding? {
        await diagnose().first { $0.subject == subject }
    }

    /// Runs statements as no store does, with the next group of changes.
    func execute(_ sql: String) async throws {
        try await writer.write { try $0.database.execute(sql: sql) }
    }
}

extension Database {
    /// The number of events in the log.
    func storedEventCount() throws -> Int {
        try Int.fetchOne(self, sql: "SELECT count(*) FROM events") ?? 0
    }
}
