import CardStore
import Foundation

/// Which file a path leads to: a file that is deleted or replaced has another one, and a process that has it open goes
/// on writing to what nobody will find.
struct FileIdentity: Sendable, Equatable {
    private let path: String
    private let device: UInt64
    private let number: UInt64

    /// Notes which file is at a path, or returns `nil` where there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.path = path
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// What is said where the path doesn't lead to the file any more, or `nil` where it does.
    var loss: StoreError? {
        guard let present = FileIdentity(path) else {
            // What can't be looked at for another reason is for those to say who read or write.
            return errno == ENOENT ? Self.lost("deleted or renamed", path) : nil
        }
        return present == self ? nil : Self.lost("replaced by another file", path)
    }

    private static func lost(_ event: String, _ path: String) -> StoreError {
        StoreError(
            .unavailable,
            "The database file \(path) was \(event) while it is in use, "
                + "so that nothing is written to it any more. Put the "
                + "file back under its name, or stop the server and restore a backup with `placard restore FILE`."
        )
    }
}
