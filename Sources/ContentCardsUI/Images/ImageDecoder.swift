#if !os(tvOS)
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import ImageIO
import UIKit

/// Makes images of their files, ready to be drawn, away from the main actor.
enum ImageDecoder {
    /// Returns the image of a file, no wider than a number of pixels; `nil` for what is no image.
    static func image(from data: Data, width: Int) async -> UIImage? {
        let options = [kCGImageSourceShouldCache: false] as CFDictionary
        guard let source = CGImageSourceCreateWithData(data as CFData, options), let size = size(of: source) else {
            return nil
        }
        let isAnimated = CGImageSourceGetType(source) as String? == "com.compuserve.gif"
        let count = isAnimated ? CGImageSourceGetCount(source) : 1
        guard let plan = DecodingPlan(size: size, frames: count, width: width) else { return nil }
        guard plan.frames > 1 else { return frame(0, of: source, plan) }
        // safe: more than one
        let numbers = 0..<plan.frames
        let frames = numbers.compactMap { frame($0, of: source, plan) }
        guard frames.count == plan.frames else { return frames.first }
        let timing = AnimationTiming(delays: numbers.map { delay($0, of: source) })
        // The same object over and over takes no memory.
        // safe: a frame has one step at least, and all of them have a few thousand
        let steps = zip(frames, timing.steps).flatMap { Array(repeating: $0, count: $1) }
        return UIImage.animatedImage(with: steps, duration: timing.duration)
    }

    /// The size of the first image as it is shown; read without decoding it.
    private static func size(of source: CGImageSource) -> CGSize? {
        guard let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any],
            let width = properties[kCGImagePropertyPixelWidth] as? Double,
            let height = properties[kCGImagePropertyPixelHeight] as? Double
        else { return nil }
        let orientation = properties[kCGImagePropertyOrientation] as? Int ?? 1
        return orientation > 4 ? CGSize(width: height, height: width) : CGSize(width: width, height: height)
    }

    /// Decodes a frame at once: drawing it later costs the main thread nothing.
    private static func frame(_ index: Int, of source: CGImageSource, _ plan: DecodingPlan) -> UIImage? {
        let options =
            [
                kCGImageSourceCreateThumbnailFromImageAlways: true,
                kCGImageSourceCreateThumbnailWithTransform: true,
                kCGImageSourceShouldCacheImmediately: true,
                kCGImageSourceThumbnailMaxPixelSize: plan.longestSide,
            ] as [CFString: Any]
        return CGImageSourceCreateThumbnailAtIndex(source, index, options as CFDictionary).map { UIImage(cgImage: $0) }
    }

    private static func delay(_ index: Int, of source: CGImageSource) -> Double? {
        let properties = CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any]
        let frame = properties?[kCGImagePropertyGIFDictionary] as? [CFString: Any]
        return (frame?[kCGImagePropertyGIFUnclampedDelayTime] ?? frame?[kCGImagePropertyGIFDelayTime]) as? Double
    }
}

extension UIImage {
    /// The image, or the first frame of an animation where the user wants less motion.
    @MainActor var shownWithoutMotion: UIImage {
        UIAccessibility.isReduceMotionEnabled ? images?.first ?? self : self
    }
}
#else
import BrowserUIKit

extension UIImage {
    /// The image: a browser decides about motion.
    var shownWithoutMotion: UIImage { self }
}

/// Makes images of their files: a browser decodes them.
enum ImageDecoder {
    /// Returns the image of a file; `nil` for what is no image, or has more pixels than anything should be shown of.
    static func image(from data: Data, width: Int) async -> UIImage? {
        guard let image = UIImage(data: data), DecodingPlan(size: image.size, frames: 1, width: width) != nil else {
            return nil
        }
        return image
    }
}
#endif
#endif
