#if !os(tvOS)
import ContentCards
import Foundation

/// Keeps image files in a directory that the system may empty, up to 100 MB.
actor ImageDisk {
    private static let limit = 100_000_000
    /// The most bytes of the line before an image.
    private static let headLimit = 4_096
    private let directory: URL
    /// Counts how often all images were deleted, by this or by a client.
    nonisolated let removals: ImageRemovals

    init(directory: URL) {
        self.directory = directory
        removals = ImageRemovals.of(directory)
    }

    /// Returns an image file and how long it is good; `nil` where none is kept, or one that can't be read.
    func read(_ url: URL) -> (data: Data, freshness: ImageFreshness)? {
        guard let file = try? Data(contentsOf: file(for: url)),
            let end = file.prefix(Self.headLimit).firstIndex(of: UInt8(ascii: "\n")),
            let freshness = try? JSONDecoder().decode(ImageFreshness.self, from: file.prefix(upTo: end))
        else { return nil }
        return (Data(file.suffix(from: end).dropFirst()), freshness)
    }

    /// Keeps an image file, after a line of JSON with its freshness.
    ///
    /// A cache that cannot be written is none; the image was shown all the same. Nothing is written where all images
    /// were deleted since they had been so often; by default, since now.
    func write(_ data: Data, _ freshness: ImageFreshness, for url: URL, unlessRemovedSince count: Int? = nil) {
        guard let head = try? JSONEncoder().encode(freshness), head.count < Self.headLimit else { return }
        let file = head + Data([UInt8(ascii: "\n")]) + data
        let isWritten = removals.write(unlessRemovedSince: count ?? removals.count) {
            try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try? file.write(to: self.file(for: url), options: .atomic)
        }
        if isWritten { trim() }
    }

    /// Deletes an image file.
    func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: file(for: url))
    }

    /// Deletes all image files.
    func removeAll() {
        removals.removeAll()
    }

    private func file(for url: URL) -> URL {
        directory.appendingPathComponent(Self.name(of: url))
    }

    /// Two hashes of 64 bits that differ in their start, so that no address meets another by chance.
    static func name(of url: URL) -> String {
        [0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15].map { (start: UInt64) in
            let hash = url.absoluteString.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            return String(hash, radix: 16)
        }
        .joined(separator: "-")
    }

    private func trim() {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: Array(keys))
        var known = (files ?? []).compactMap { file -> (URL, Int, Date)? in
            guard let values = try? file.resourceValues(forKeys: keys), let size = values.fileSize else { return nil }
            return (file, size, values.contentModificationDate ?? .distantPast)
        }
        known.sort { $0.2 > $1.2 }
        var total = 0
        for (file, size, _) in known {
            // safe: no medium has more than 64 bits count
            total += size
            if total > Self.limit { try? FileManager.default.removeItem(at: file) }
        }
    }
}
#endif
