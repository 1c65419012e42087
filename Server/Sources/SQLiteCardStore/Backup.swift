import CardStore
import Dispatch
import Foundation
import GRDB

/// A copy of a database that is being used.
///
/// It is made beside its destination and put there when it is whole and on the disk, so that a file of that name is
/// always a backup that can be trusted.
struct Backup: Sendable {
    let source: DatabasePool
    let destination: String

    func run() async throws(StoreError) {
        let result: Result<Void, StoreError> = await withUnsafeContinuation { continuation in
            // Copying takes as long as the disk does, which is no work for the threads that tasks share.
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: Result { () throws(StoreError) in try copy() })
            }
        }
        try result.get()
    }

    private func copy() throws(StoreError) {
        guard !FileManager.default.fileExists(atPath: destination) else { throw Self.exists }
        let partial = "\(destination).\(UUID().uuidString).partial"
        defer { unlink(partial) }
        PrivateFile.createEmpty(partial)
        try translatingErrors {
            let copy = try DatabaseQueue(path: partial)
            try source.backup(to: copy)
            try Self.finish(copy)
            try copy.close()
        }
        try publish(partial)
    }

    /// Makes the copy one file that is complete in itself, with a history of its own.
    private static func finish(_ copy: DatabaseQueue) throws {
        try copy.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = DELETE;
                    PRAGMA synchronous = FULL;
                    UPDATE store SET epoch = random() & 9223372036854775807 WHERE id = 1;
                    DELETE FROM writers;
                    """
            )
        }
    }

    /// Gives the copy its name, which fails where somebody else took it meanwhile.
    private func publish(_ partial: String) throws(StoreError) {
        guard PrivateFile.synchronize(partial) else { throw Self.unwritable }
        guard link(partial, destination) == 0 else { throw errno == EEXIST ? Self.exists : Self.unwritable }
        _ = PrivateFile.synchronize(URL(fileURLWithPath: destination).deletingLastPathComponent().path)
    }

    private static let exists = StoreError(.exists, "There is a file of that name. Choose another, or remove it.")
    private static let unwritable = StoreError(
        .unavailable,
        "The backup could not be written. Check that its folder exists, may be written and has room."
    )
}
