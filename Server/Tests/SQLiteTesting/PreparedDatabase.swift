import Foundation
import GRDBSQLite
import SQLiteCardStore

/// Databases of SQLite that have the tables already, for tests that aren't about how they come to be.
///
/// The migrations run once in a process. Each test gets a copy with a history and a key of its own, and no key for
/// secrets: the store that opens it makes one, as it does for a new file.
public enum PreparedDatabase {
    /// What keeps a database from being prepared.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened.
        public let description: String
    }

    private static let template = Task { try await makeTemplate() }

    /// Puts a database where there is none yet.
    ///
    /// - Parameter path: The file. Its folder has to exist.
    /// - Throws: An error of the store or of the file system, or ``Failure`` where the copy can't be made.
    public static func put(at path: String) async throws {
        let bytes = try await template.value
        let isCreated = FileManager.default.createFile(
            atPath: path,
            contents: bytes,
            attributes: [.posixPermissions: 0o600]
        )
        guard isCreated else { throw Failure(description: "\(path) can't be written.") }
        try makeUnique(path)
    }

    private static func makeTemplate() async throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "placard.sqlite").path
        var options = SQLiteCardStore.Options()
        // No secret is encrypted yet, so that no copy needs this one's key.
        options.requiresSecretsKey = false
        try await SQLiteCardStore(path: path, options: options).close()
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Gives a copy what the first migration draws for each store.
    private static func makeUnique(_ path: String) throws {
        let sql = """
            PRAGMA synchronous = OFF;
            UPDATE store SET epoch = random() & 9223372036854775807, user_hash_key = randomblob(32);
            """
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open(path, &connection) == SQLITE_OK,
            sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
        else { throw Failure(description: "\(path) can't be changed.") }
    }
}
