import CardStore
import Dispatch
import Foundation
import GRDB

/// A copy of a database that is being used.
///
/// It is made beside its destination and put there when it is whole and on the disk, so that a file of that name is
/// always a backup that can be trusted.
struct BackupWriter {
    let source: any DatabaseReader
    let destination: String

    func run() async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in try copy() }
    }

    /// Runs what takes as long as the disk does, which is no work for the threads that tasks share.
    static func onOwnThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: Result { () throws(StoreError) in try body() })
            }
        }
        return try result.get()
    }

    /// Makes the copy on this thread.
    func copy() throws(StoreError) {
        guard !FileManager.default.fileExists(atPath: destination) else { throw Self.exists }
        let partial = PartialFile(beside: destination)
        defer { partial?.remove() }
        guard let partial else { throw Self.unwritable }
        try Self.write(source, to: partial.path)
        try publish(partial.path)
    }

    /// Copies a database into an empty file.
    static func write(_ source: any DatabaseReader, to path: String) throws(StoreError) {
        try translatingErrors {
            let copy = try DatabaseQueue(path: path)
            try source.backup(to: copy)
            try finish(copy)
            try copy.close()
        }
        guard PrivateFile.synchronize(path) else { throw unwritable }
    }

    /// Makes the copy one file that is complete in itself, with a history of its own, and without the mark that ties a log
    /// to it.
    ///
    /// What is written once it has taken its source's place gets positions that the source never gave out: receivers of the
    /// log remember the largest. Fewer events than a million a second were ever written.
    private static func finish(_ copy: DatabaseQueue) throws {
        try copy.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = DELETE;
                    PRAGMA synchronous = FULL;
                    PRAGMA user_version = 0;
                    UPDATE store SET epoch = random() & 9223372036854775807 WHERE id = 1;
                    """
            )
            if try database.tableExists("writers") { try database.execute(sql: "DELETE FROM writers") }
            guard try database.tableExists("sqlite_sequence") else { return }
            try database.execute(
                sql: """
                    INSERT INTO sqlite_sequence (name, seq)
                    SELECT 'events', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events');
                    UPDATE sqlite_sequence
                    SET seq = max(seq, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000)
                    WHERE name = 'events';
                    """
            )
        }
    }

    /// Gives the copy its name, which fails where another file took it in the meantime.
    private func publish(_ partial: String) throws(StoreError) {
        guard link(partial, destination) == 0 else { throw errno == EEXIST ? Self.exists : Self.unwritable }
        _ = PrivateFile.synchronize(URL(fileURLWithPath: destination).deletingLastPathComponent().path)
    }

    private static let exists = StoreError(.exists, "There is a file of that name. Choose another, or remove it.")
    static let unwritable = StoreError(
        .unavailable,
        "The backup could not be written. Check that its folder exists, may be written and has room."
    )
}
