import Foundation
import Synchronization

/// Lets one thread wait, and another end its waits: the one that is under way, and all later ones.
final class InterruptibleWait: Sendable {
    /// The ends of a pipe, `-1` where the process has no descriptors left: such a wait only ends by itself.
    private let reading: Int32
    private let writing: Mutex<Int32>

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        // safe: there are two
        reading = ends[0]
        // safe: there are two
        writing = Mutex(ends[1])
    }

    deinit {
        interrupt()
        if reading >= 0 { _ = close(reading) }
    }

    /// Ends waits at once from now on.
    func interrupt() {
        writing.withLock { descriptor in
            guard descriptor >= 0 else { return }
            // Whoever waits for the other end is told that nothing will ever be written.
            _ = close(descriptor)
            descriptor = -1
        }
    }

    /// Waits until a socket can be read, the time is over or ``interrupt()`` was called.
    ///
    /// - Parameters:
    ///   - milliseconds: The longest time to wait.
    ///   - socket: The socket's descriptor; without one, only time and interruption end the wait.
    /// - Returns: Whether the socket can be read.
    func wait(milliseconds: Int32, for socket: Int32? = nil) -> Bool {
        // What has a negative descriptor is passed over.
        var descriptors = [
            pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&descriptors, 2, milliseconds) > 0 else { return false }
        // safe: there are two
        return descriptors[0].revents != 0
    }
}
