import Foundation

/// The descriptors that a process begins with.
enum StandardStreams {
    /// Takes the places of standard streams that are closed.
    ///
    /// The next file that is opened would get such a place, and be read or written for the stream. Nothing can be read
    /// from, or written to, what is there instead.
    static func holdPlaces() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
