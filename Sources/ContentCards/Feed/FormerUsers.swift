import Foundation

/// The users who used the device before the current one: those whose files are worth keeping.
struct FormerUsers: Sendable, Equatable, Codable {
    private struct Entry: Sendable, Equatable, Codable {
        var folder: String
        var leftAt: Date
    }

    /// The maximum number of users whose files are kept besides the current one's.
    static let limit = 5
    /// The number of seconds for which they are kept: 30 days.
    static let lifetime: TimeInterval = 30 * 86_400

    /// Oldest first.
    private var entries: [Entry] = []

    /// Notes that a user has left, or that one is there again.
    mutating func change(from old: String?, to new: String?, at date: Date) {
        let folders = [old, new].compactMap { $0.map(FileName.hash) }
        entries.removeAll { folders.contains($0.folder) }
        if let old { entries.append(Entry(folder: FileName.hash(old), leftAt: date)) }
        entries = entries.suffix(Self.limit)
    }

    /// Returns the names of the folders to keep.
    ///
    /// A date in the future is one of a clock that was set back, and counts as now.
    func folders(at date: Date) -> Set<String> {
        Set(entries.filter { date.timeIntervalSince($0.leftAt) <= Self.lifetime }.map(\.folder))
    }
}
