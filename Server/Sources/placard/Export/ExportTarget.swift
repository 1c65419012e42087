import CardServer
import CardStore
import Foundation
import WireJSON

/// Where exported lines go: a file, or standard output.
struct ExportTarget {
    /// How much of a file's end is read at first to find its last line.
    private static let tail: UInt64 = 64 << 10

    /// The position of the last event that the file has; 0 for none.
    private(set) var position: Int64 = 0

    private let handle: FileHandle
    private let format: EventFormat

    /// Opens the target and writes the heading where it is empty.
    init(path: String?, format: EventFormat, resumes: Bool) throws {
        self.format = format
        guard let path else {
            handle = .standardOutput
            try writeHeading()
            return
        }
        let exists = FileManager.default.fileExists(atPath: path)
        if exists, !resumes {
            throw CommandFailure("There is a file \(path) already. Give --resume to go on after it, or another name.")
        }
        if !exists, !PrivateFile.createEmpty(path) { throw CommandFailure("The file \(path) cannot be made.") }
        guard let file = FileHandle(forUpdatingAtPath: path) else {
            throw CommandFailure("The file \(path) cannot be written.")
        }
        handle = file
        if try goToEnd(path) == 0 { try writeHeading() }
    }

    private func writeHeading() throws {
        guard let heading = format.heading else { return }
        try handle.write(contentsOf: Data(heading.utf8))
    }

    // safe: places in a file, of which no more is read than it has
    /// Cuts off a line that was not finished, notes the last position, and returns the size that is left.
    private mutating func goToEnd(_ path: String) throws -> UInt64 {
        let size = try handle.seekToEnd()
        var length = min(size, Self.tail)
        while true {
            try handle.seek(toOffset: size - length)
            let bytes = try handle.read(upToCount: Int(length)) ?? Data()
            guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
                // Not one whole line so far.
                if length == size { return try cut(at: 0) }
                length = min(size, length * 2)
                continue
            }
            let before = bytes[..<end].lastIndex(of: UInt8(ascii: "\n"))
            if before == nil, length < size {
                length = min(size, length * 2)
                continue
            }
            let start = before.map { $0 + 1 } ?? bytes.startIndex
            let line = String(decoding: bytes[start..<end], as: UTF8.self)
            if let last = format.position(of: line) {
                position = last
            } else if line.trimmingCharacters(in: .newlines) != format.heading?.trimmingCharacters(in: .newlines) {
                throw CommandFailure("\(path) does not end as an export in this format does.")
            }
            return try cut(at: size - length + UInt64(end - bytes.startIndex) + 1)
        }
    }

    private func cut(at size: UInt64) throws -> UInt64 {
        try handle.truncate(atOffset: size)
        try handle.seek(toOffset: size)
        return size
    }

    /// Writes the lines of events.
    func write(_ events: [StoredEvent]) throws {
        guard !events.isEmpty else { return }
        var writer = JSONWriter(capacity: events.count * 256)
        for event in events { format.write(event, to: &writer) }
        try handle.write(contentsOf: Data(writer.bytes))
    }
}
