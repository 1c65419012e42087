import Foundation

/// Lets one command after the other use a folder: the others wait.
///
/// It is a lock of the folder itself, which the system takes back when a process ends, and leaves no file behind.
final class FolderTurn: Sendable {
    private let descriptor: Int32
    /// Whether it is this command's turn from the beginning.
    let isTaken: Bool

    /// Asks for the turn; `nil` where the file system has no such locks, or the folder can't be opened.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        isTaken = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        guard isTaken || errno == EWOULDBLOCK else { return nil }
    }

    /// Waits until it is this command's turn.
    func wait() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            // Threads that tasks share may be what the one waits for that has the turn.
            let thread = Thread { [descriptor] in
                while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
                continuation.resume()
            }
            thread.start()
        }
    }

    /// Lets the next one have its turn.
    func end() { flock(descriptor, LOCK_UN) }

    deinit { close(descriptor) }
}
