import Foundation

/// Reads the SDK's files as if anybody had written them: what is no file, or larger than it can be, is not read.
enum StoredFile {
    case missing
    case unusable
    case contents(Data)

    /// The most bytes of a feed.
    static let feedLimit = 64 * 1024 * 1024
    /// The most bytes of an event log: more than 10,000 events of the largest size take.
    static let eventsLimit = 256 * 1024 * 1024

    /// Reads a file, if it is one and not too large.
    static func read(path: String, limit: Int) -> StoredFile {
        // A link counts as what it leads to.
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved) else { return .missing }
        let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        guard attributes[.type] as? FileAttributeType == .typeRegular, size <= limit,
            let data = try? Data(contentsOf: URL(fileURLWithPath: resolved))
        else { return .unusable }
        return .contents(data)
    }

    /// The contents; `nil` where there are none that can be read.
    var data: Data? {
        if case .contents(let data) = self { data } else { nil }
    }

    /// Whether something is there that can't be read.
    var isUnusable: Bool {
        if case .unusable = self { true } else { false }
    }
}

/// Renames damaged files, so that they can be looked at and are never read again.
enum SetAside {
    /// How many damaged files are kept of each name; the oldest make room.
    static let limit = 3

    /// Renames a file.
    static func move(path: String) {
        removeOldest(path: path)
        let stamp = Date().unixMilliseconds
        rename(path, "\(path).corrupt-\(stamp)")
    }

    private static func removeOldest(path: String) {
        let url = URL(fileURLWithPath: path)
        let prefix = url.lastPathComponent + ".corrupt-"
        let directory = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        // Stamps of the same length sort as their numbers do, for the next two centuries.
        for name in names.filter({ $0.hasPrefix(prefix) }).sorted().dropLast(limit - 1) {
            try? FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
    }
}
