import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Holds a directory for one client; the system lets go of it when the process ends, however it ends.
final class DirectoryLock: Sendable {
    private let descriptor: Locked<Int32?>

    /// Takes the lock.
    ///
    /// Throws when another client has it.
    init(path: String) throws(FileError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("open", errno) }
        FileProtection.apply(toItemAtPath: path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw FileError("another client uses the same directory")
        }
        self.descriptor = Locked(descriptor)
    }

    deinit { release() }

    /// Lets go of the lock; a second call does nothing.
    ///
    /// Closing alone would leave it to a process that is just being made, until that begins its program: it has the
    /// descriptor, too.
    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor {
                flock(open, LOCK_UN)
                close(open)
            }
            descriptor = nil
        }
    }
}
