import Foundation
import Logging
import WireJSON

/// The priority that systemd's journal gives a line, by a prefix that it takes off: `<3>` for an error.
///
/// Without one, every line of standard error has the same priority, and `journalctl -p err` shows none of them.
enum JournalPriority {
    /// Returns whether a descriptor leads to the journal.
    ///
    /// - Parameters:
    ///   - descriptor: A descriptor of this process.
    ///   - stream: What systemd says of the stream in `JOURNAL_STREAM`, its device and inode; `nil` for nothing.
    ///     Whatever a service starts with its output led elsewhere has the variable, too.
    /// - Returns: Whether the descriptor is that stream.
    static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
        var status = stat()
        guard let stream, fstat(descriptor, &status) == 0 else { return false }
        return stream.hasSameBytes(as: "\(status.st_dev):\(status.st_ino)")
    }

    /// The prefix of lines of a level.
    static func prefix(of level: Logger.Level) -> String {
        switch level {
        case .critical: "<2>"
        case .error: "<3>"
        case .warning: "<4>"
        case .notice: "<5>"
        case .info: "<6>"
        case .debug, .trace: "<7>"
        }
    }
}
