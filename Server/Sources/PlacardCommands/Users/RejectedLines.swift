import Foundation
import UserImport
import WireJSON

/// Writes the lines that were not taken, with the reason, so that they can be fixed.
final class RejectedLines {
    private static let namedAtMost = 20

    private let path: String
    private var handle: FileHandle?
    private var count = 0

    /// Goes on after that many bytes of an earlier import's lines.
    init(path: String, after bytes: Int) throws {
        self.path = path
        if bytes == 0 {
            // A folder of that name isn't the command's to remove.
            _ = unlink(path)
        } else {
            // What was written after the state was kept comes once more.
            handle = FileHandle(forWritingAtPath: path)
            // The file may be shorter than it was: it isn't filled up with zeros.
            let size = try handle?.seekToEnd() ?? 0
            // safe: a length
            try handle?.truncate(atOffset: min(size, UInt64(bytes)))
        }
    }

    /// Notes an entry that has a problem, and returns how many bytes that took.
    func note(_ entry: ImportReader.Entry) throws -> Int {
        guard let problem = entry.problem else { return 0 }
        count += 1
        if count <= Self.namedAtMost { Console.note("Line \(entry.line): \(problem)") }
        if count == Self.namedAtMost { Console.note("Further lines are only written to \(path).") }
        let json: JSONValue = [
            "line": .integer(Int64(entry.line)), "reason": .string(problem.description),
            "record": .string(String(decoding: entry.bytes, as: UTF8.self)),
        ]
        let line = json.bytes + [UInt8(ascii: "\n")]
        try open().write(contentsOf: line)
        return line.count
    }

    private func open() throws -> FileHandle {
        if let handle { return handle }
        let isMade = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let handle = FileHandle(forWritingAtPath: path) else {
            throw CommandError("\(path) cannot be written, and there are lines to reject.")
        }
        self.handle = handle
        return handle
    }
}
