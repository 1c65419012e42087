import Foundation
import Simulation

/// A client's ledger on the disk: a line is in the system's hands when ``write(_:)`` returns.
final class LedgerFile: Sendable {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw CommandError("\(path) cannot be written.") }
        // A line that a kill has torn is ended, so that it spoils none that follows.
        if Self.isTorn(path) { append("\n") }
    }

    deinit { close(descriptor) }

    private static func isTorn(_ path: String) -> Bool {
        guard let last = FileManager.default.contents(atPath: path)?.last else { return false }
        return last != UInt8(ascii: "\n")
    }

    func write(_ record: LedgerRecord) { append(record.line + "\n") }

    private func append(_ text: String) {
        // One write of one short line to a file that is only appended to is never mixed with another.
        var text = text
        text.withUTF8 { bytes in _ = Foundation.write(descriptor, bytes.baseAddress, bytes.count) }
    }
}
