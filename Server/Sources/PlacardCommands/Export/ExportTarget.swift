import CardServer
import CardStore
import Foundation
import WireJSON

/// The target of exported lines: a file, or standard output.
struct ExportTarget {
    /// The size of a file's end that is read at first to find its last line, in bytes.
    private static let tail: UInt64 = 64 << 10
    /// A length that no line of an export has.
    private static let tooLong: UInt64 = 64 << 20

    /// The position of the last event that the file has; 0 for none.
    private(set) var position: Int64 = 0

    private let output: OutputTarget
    /// The file, which is open as long as this is there; `nil` for standard output.
    private let file: FileHandle?
    private let format: EventFormat

    /// Opens the target and writes the heading where it is empty.
    init(path: String?, format: EventFormat, resumes: Bool) throws {
        self.format = format
        file = try path.map { try Self.open($0, resumes: resumes) }
        output = file.map { OutputTarget(descriptor: $0.fileDescriptor, name: path ?? "") } ?? .result
        if let file, let path, try goToEnd(of: file, path) > 0 { return }
        if let heading = format.heading { try output.writeAll(heading.utf8) }
    }

    private static func open(_ path: String, resumes: Bool) throws -> FileHandle {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, !resumes {
            throw CommandError("There is a file \(path) already. Give --resume to go on after it, or another name.")
        }
        if exists, status.st_mode & S_IFMT != S_IFREG {
            throw CommandError("\(path) is not a file, so --resume finds no last line in it.")
        }
        if !exists, !PrivateFile.createEmpty(path) { throw CommandError("The file \(path) cannot be made.") }
        guard let file = FileHandle(forUpdatingAtPath: path) else {
            throw CommandError("The file \(path) cannot be written.")
        }
        return file
    }

    private mutating func goToEnd(of file: FileHandle, _ path: String) throws -> UInt64 {
        do {
            guard try beginsAsExport(file), let size = try findEnd(of: file) else {
                throw CommandError("\(path) isn't an export in this format, so nothing was written to it.")
            }
            try file.truncate(atOffset: size)
            try file.seek(toOffset: size)
            return size
        } catch let failure as CommandError {
            throw failure
        } catch {
            throw CommandError("\(path) can't be read: \(error.localizedDescription)")
        }
    }

    /// Returns whether the file has the first bytes of an export, or as many of them as were written.
    private func beginsAsExport(_ file: FileHandle) throws -> Bool {
        let beginning = Array(format.beginning.utf8)
        try file.seek(toOffset: 0)
        return beginning.starts(with: try file.read(upToCount: beginning.count) ?? Data())
    }

    // safe: places in a file, of which no more is read than it has
    /// Notes the last position, and returns where the last whole line ends: what follows was not finished.
    ///
    /// Returns `nil` where that line is none of an export.
    private mutating func findEnd(of file: FileHandle) throws -> UInt64? {
        let size = try file.seekToEnd()
        var length = min(size, Self.tail)
        while length <= Self.tooLong {
            try file.seek(toOffset: size - length)
            let bytes = try file.read(upToCount: Int(length)) ?? Data()
            let end = bytes.lastIndex(of: UInt8(ascii: "\n"))
            let before = end.flatMap { bytes[..<$0].lastIndex(of: UInt8(ascii: "\n")) }
            if before == nil, length < size {
                length = min(size, length * 2)
                continue
            }
            // Not one whole line so far.
            guard let end else { return 0 }
            let line = String(decoding: bytes[(before.map { $0 + 1 } ?? bytes.startIndex)..<end], as: UTF8.self)
            if let last = format.position(of: line) {
                position = last
            } else if line.trimmingCharacters(in: .newlines) != format.heading?.trimmingCharacters(in: .newlines) {
                return nil
            }
            return size - length + UInt64(end - bytes.startIndex) + 1
        }
        return nil
    }

    /// Writes the lines of events.
    func write(_ events: [StoredEvent]) throws {
        guard !events.isEmpty else { return }
        var writer = JSONWriter(capacity: events.count * 256)
        for event in events { format.write(event, to: &writer) }
        try withExtendedLifetime(file) { try output.writeAll(writer.bytes) }
    }
}
