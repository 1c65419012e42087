#if !os(tvOS)
import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Keeps the images that were used last, up to a number of bytes that they take when they are drawn.
struct ImageMemory {
    private let limit: Int
    private var images: [URL: (image: UIImage, size: Int, use: Int)] = [:]
    private var size = 0
    private var uses = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func image(for url: URL) -> UIImage? {
        uses += 1
        images[url]?.use = uses
        return images[url]?.image
    }

    mutating func keep(_ image: UIImage, for url: URL) {
        forget(url)
        let size = Self.size(of: image)
        guard size <= limit else { return }
        uses += 1
        images[url] = (image, size, uses)
        // safe: all of it is in memory
        self.size += size
        while self.size > limit, let oldest = images.min(by: { $0.value.use < $1.value.use }) { forget(oldest.key) }
    }

    /// Forgets all images: the system is short of memory.
    mutating func forgetAll() {
        (images, size) = ([:], 0)
    }

    /// Returns how many bytes an image takes when it is drawn: four for each pixel of each frame.
    static func size(of image: UIImage) -> Int {
        #if canImport(UIKit)
        let frames = max(image.images?.count ?? 1, 1)
        #else
        let frames = 1
        #endif
        let pixelsOfPoint = Double(image.scale) * Double(image.scale)
        let pixels = Double(image.size.width) * Double(image.size.height) * pixelsOfPoint
        return Int(exactly: (pixels * 4 * Double(frames)).rounded()) ?? .max
    }

    private mutating func forget(_ url: URL) {
        guard let old = images.removeValue(forKey: url) else { return }
        // safe: it was added when the image was kept
        size -= old.size
    }
}

/// Keeps image files in a directory that the system may empty, up to 100 MB.
actor ImageDisk {
    private static let limit = 100_000_000
    private let directory: URL

    init(directory: URL) {
        self.directory = directory
    }

    func read(_ url: URL) -> Data? {
        try? Data(contentsOf: file(for: url))
    }

    /// A cache that cannot be written is none; the image was shown all the same.
    func write(_ data: Data, for url: URL) {
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try? data.write(to: file(for: url), options: .atomic)
        trim()
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
