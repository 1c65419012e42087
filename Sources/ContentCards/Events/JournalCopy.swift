import Foundation

/// Writes a smaller copy of an event log beside it, which is to take its place.
///
/// The log can be used in the meantime.
struct JournalCopy: Sendable {
    /// The part of a log that is still needed.
    struct Excerpt: Sendable {
        let path: String
        let text: String
        let writing: FileWriting
    }

    let file: AppendOnlyFile
    private(set) var length = 0
    private let path: String

    /// Begins a copy; one that was left behind makes room.
    init(beside path: String, writing: FileWriting) throws(FileError) {
        let temporary = Self.path(beside: path)
        unlink(temporary)
        file = try AppendOnlyFile(path: temporary, writing: writing)
        self.path = temporary
    }

    /// Deletes a copy that is to take no place.
    static func remove(beside path: String) {
        unlink(Self.path(beside: path))
    }

    private static func path(beside path: String) -> String { path + ".new" }

    /// Puts text at the end.
    mutating func append(_ text: String) throws(FileError) {
        guard !text.isEmpty else { return }
        try file.append(text, length: length)
        length += text.utf8.count
    }

    /// Takes the place of a log.
    func move(to path: String) throws(FileError) {
        guard rename(self.path, path) == 0 else { throw FileError("rename", errno) }
    }
}
