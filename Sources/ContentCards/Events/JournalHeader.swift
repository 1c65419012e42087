import Foundation

/// Reads whose log a file is.
enum JournalHeader {
    /// More bytes than the longest user id takes in JSON.
    private static let longest = 8192

    static func user(path: String) -> String? {
        let stored = StoredFile.read(path: path, limit: StoredFile.eventsLimit, count: longest)
        guard let head = stored.data else { return nil }
        let line = String(decoding: head, as: UTF8.self).utf8.prefix { $0 != UInt8(ascii: "\n") }
        guard case .header(let user) = JournalRecord(line: line) else { return nil }
        return user
    }
}
