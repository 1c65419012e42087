#if !os(tvOS)
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Names an image of a width.
struct ImageKey: Hashable {
    /// The widths that images are decoded for: a card that is a little wider than another shares its image.
    private static let widths = [128, 256, 512, 768, CardImageLoader.usualWidth, 1536, 2048, 3072, 4096]

    /// The address.
    let url: URL
    /// The width that the image is decoded for, in pixels: the one asked for, or a little more.
    let width: Int

    init(_ url: URL, width: Int) {
        self.url = url
        self.width = Self.widths.first { $0 >= width } ?? 4096
    }

    /// This one and those of the same image that are wider, the narrowest first.
    var andWider: some Sequence<ImageKey> {
        Self.widths.lazy.filter { $0 >= width }.map { ImageKey(url, width: $0) }
    }
}

/// Keeps the images that were used last, up to a number of bytes that they take when they are drawn.
struct ImageMemory {
    private let limit: Int
    private var images: [ImageKey: (image: UIImage, size: Int, use: Int)] = [:]
    private var size = 0
    private var uses = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns an image that is at least as wide as is asked for.
    mutating func image(for key: ImageKey) -> UIImage? {
        guard let key = key.andWider.first(where: { images[$0] != nil }) else { return nil }
        uses += 1
        images[key]?.use = uses
        return images[key]?.image
    }

    /// Returns the image at an address in the greatest width that it is kept in.
    func widestImage(for url: URL) -> UIImage? {
        images.filter { $0.key.url == url }.max { $0.key.width < $1.key.width }?.value.image
    }

    mutating func keep(_ image: UIImage, for key: ImageKey) {
        forget(key)
        let size = Self.size(of: image)
        guard size <= limit else { return }
        uses += 1
        images[key] = (image, size, uses)
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
        #if canImport(UIKit) && canImport(ObjectiveC)
        let frames = max(image.images?.count ?? 1, 1)
        #else
        let frames = 1
        #endif
        let pixelsOfPoint = Double(image.scale) * Double(image.scale)
        let pixels = Double(image.size.width) * Double(image.size.height) * pixelsOfPoint
        return Int(exactly: (pixels * 4 * Double(frames)).rounded()) ?? .max
    }

    private mutating func forget(_ key: ImageKey) {
        guard let old = images.removeValue(forKey: key) else { return }
        // safe: it was added when the image was kept
        size -= old.size
    }
}
#endif
