import CardStore
import Foundation

/// The file that a path leads to: a file that is deleted or replaced has another one, and a process that has it open
/// goes on writing to what nobody will find.
struct FileIdentity: Sendable, Equatable {
    let path: String
    private let device: UInt64
    private let number: UInt64

    /// Notes which file is at a path, or returns `nil` where there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(path, status)
    }

    /// Notes which file a descriptor has open, and the path that it was opened by.
    init?(_ path: String, descriptor: Int32) {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
        self.init(path, status)
    }

    private init(_ path: String, _ status: stat) {
        self.path = path
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// The sentence that says what has become of the file, or `nil` where the path still leads to it.
    var loss: String? {
        guard let present = FileIdentity(path) else {
            // What can't be looked at for another reason is for those to say who read or write.
            return errno == ENOENT ? "deleted or renamed" : nil
        }
        return present == self ? nil : "replaced by another file"
    }
}
