import Foundation

/// A target of a command's output: a file, a pipe or a terminal.
struct OutputTarget: Sendable {
    /// The target of a command's result.
    static let result = OutputTarget(descriptor: STDOUT_FILENO, name: "The output")

    /// The descriptor, which stays open for as long as something is written.
    let descriptor: Int32
    /// The name that messages have for it.
    let name: String

    /// Writes all of the bytes, and waits where there is no room for them at once.
    ///
    /// - Throws: `CommandError` that says what kept them from being written.
    func writeAll(_ bytes: some Sequence<UInt8>) throws(CommandError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let (count, code) = rest.withUnsafeBytes { (write(descriptor, $0.baseAddress, $0.count), errno) }
            if count > 0 {
                // safe: positive, and a part of the rest
                rest = rest.dropFirst(count)
            } else if count < 0, code == EAGAIN {
                waitForRoom()
            } else if count == 0 || code != EINTR {
                let reason = String(cString: strerror(count == 0 ? ENOSPC : code))
                throw CommandError("\(name) can't be written: \(reason).")
            }
        }
    }

    /// Waits until something can be written, or nothing ever will.
    private func waitForRoom() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }
}
