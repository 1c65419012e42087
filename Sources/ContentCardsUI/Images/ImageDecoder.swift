#if !os(tvOS)
import Foundation

#if canImport(UIKit)
import ImageIO
import UIKit

/// Makes images of their files, ready to be drawn, away from the main actor.
enum ImageDecoder {
    /// The greatest width and height of an image, in pixels: a cell is at most 380 points wide, of three pixels each.
    static let longestSide = 1140

    /// How many frames an animation may have; of a longer one, the first is shown.
    private static let longestAnimation = 120

    /// Returns the image of a file, with no side longer than ``longestSide``; `nil` for what is no image.
    static func image(from data: Data) async -> UIImage? {
        let options = [kCGImageSourceShouldCache: false] as CFDictionary
        guard let source = CGImageSourceCreateWithData(data as CFData, options) else { return nil }
        let count = CGImageSourceGetCount(source)
        guard count > 1, count <= longestAnimation, CGImageSourceGetType(source) as String? == "com.compuserve.gif"
        else {
            return frame(0, of: source).map { UIImage(cgImage: $0) }
        }
        let frames = (0..<count).compactMap { frame($0, of: source).map { UIImage(cgImage: $0) } }
        let duration = (0..<count).reduce(0) { $0 + delay($1, of: source) }
        return UIImage.animatedImage(with: frames, duration: duration)
    }

    /// Decodes a frame at once: drawing it later costs the main thread nothing.
    private static func frame(_ index: Int, of source: CGImageSource) -> CGImage? {
        let options =
            [
                kCGImageSourceCreateThumbnailFromImageAlways: true,
                kCGImageSourceCreateThumbnailWithTransform: true,
                kCGImageSourceShouldCacheImmediately: true,
                kCGImageSourceThumbnailMaxPixelSize: longestSide,
            ] as [CFString: Any]
        return CGImageSourceCreateThumbnailAtIndex(source, index, options as CFDictionary)
    }

    /// The seconds of a frame; browsers show those of less than 0.02 s for 0.1 s, and so does this.
    private static func delay(_ index: Int, of source: CGImageSource) -> Double {
        let properties = CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any]
        let frame = properties?[kCGImagePropertyGIFDictionary] as? [CFString: Any]
        let seconds = (frame?[kCGImagePropertyGIFUnclampedDelayTime] ?? frame?[kCGImagePropertyGIFDelayTime]) as? Double
        return seconds.flatMap { $0 >= 0.02 ? $0 : nil } ?? 0.1
    }
}
#else
import BrowserUIKit

/// Makes images of their files: a browser decodes them.
enum ImageDecoder {
    /// Returns the image of a file; `nil` for what is no image.
    static func image(from data: Data) async -> UIImage? {
        UIImage(data: data)
    }
}
#endif
#endif
