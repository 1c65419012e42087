/// Cuts bytes into lines of a bounded length; of a longer one, nothing is kept.
package struct LineBuffer: Sendable {
    /// A line that is complete.
    package enum Line: Sendable, Equatable {
        /// Its bytes, without the end of the line.
        case bytes([UInt8])
        /// It had more bytes than a line may have.
        case tooLong
    }

    private let limit: Int
    private var bytes: [UInt8] = []
    private var isTooLong = false

    /// Creates a buffer for lines of that many bytes at most.
    package init(limit: Int) { self.limit = limit }

    /// Takes bytes, and returns the lines that end in them.
    package mutating func add(_ more: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in more {
            if byte == UInt8(ascii: "\n") {
                lines.append(end())
            } else if !isTooLong, bytes.count < limit {
                bytes.append(byte)
            } else {
                (bytes, isTooLong) = ([], true)
            }
        }
        return lines
    }

    /// Returns what came after the last end of a line, or `nil` for nothing.
    package mutating func finish() -> Line? { bytes.isEmpty && !isTooLong ? nil : end() }

    private mutating func end() -> Line {
        defer { (bytes, isTooLong) = ([], false) }
        return isTooLong ? .tooLong : .bytes(bytes)
    }
}
