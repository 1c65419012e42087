import CardStore
import Foundation
import Synchronization

/// The files of a database that is open: what is written into one that was deleted or replaced would be acknowledged,
/// and nobody would find it.
final class OpenFiles: Sendable {
    private let files: DatabaseFiles
    private let main: FileIdentity?
    /// The log and its index, once they are there.
    private let beside: Mutex<[FileIdentity]>

    /// Notes the files of a database.
    init(_ files: DatabaseFiles) {
        self.files = files
        main = FileIdentity(files.main)
        beside = Mutex([files.log, files.index].compactMap { FileIdentity($0) })
    }

    /// What is said where a file isn't there any more, or `nil` where all are.
    var loss: StoreError? {
        if let main, let event = main.loss {
            return StoreError(
                .unavailable,
                "The database file \(main.path) was \(event) while it is in use, "
                    + "so that nothing is written to it any more. Put the "
                    + "file back under its name, or stop the server and restore a backup with `placard restore FILE`."
            )
        }
        for identity in known() {
            guard let event = identity.loss else { continue }
            return StoreError(
                .unavailable,
                "\(identity.path), a part of the database, was \(event) while it is in use, "
                    + "so that nothing is written any more. Stop the server in good order (SIGTERM, never SIGKILL), "
                    + "which writes what it holds into the database, and start it again."
            )
        }
        return nil
    }

    /// The files beside the database that were there before.
    private func known() -> [FileIdentity] {
        beside.withLock { known in
            guard known.count < 2 else { return known }
            // They come with the first change.
            for path in [files.log, files.index] where !known.contains(where: { $0.path == path }) {
                if let identity = FileIdentity(path) { known.append(identity) }
            }
            return known
        }
    }
}
