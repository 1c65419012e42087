package import CardModel
import WireJSON

/// Makes the sizes of uploaded pictures.
package protocol ImageProcessing: Sendable {
    /// Decodes a picture, applies its orientation, removes its metadata and makes its sizes.
    ///
    /// - Parameters:
    ///   - bytes: The file, whose header was read already.
    ///   - job: What to make of it.
    /// - Returns: The sizes, the largest first; at least one.
    /// - Throws: ``ImageProcessingError``.
    func process(_ bytes: [UInt8], _ job: ImageJob) throws -> [ProcessedImage]
}

/// A picture that was uploaded, and the sizes to make of it.
package struct ImageJob: Sendable, Hashable {
    /// The format of the picture.
    package var format: ImageFormat
    /// The widths to make, the largest first; a picture that is narrower isn't enlarged.
    package var widths = ImageLimits.widths
    /// The part to use, or `nil` for all of it.
    package var crop: ImageCrop?

    /// Creates a job.
    package init(format: ImageFormat, crop: ImageCrop? = nil) {
        self.format = format
        self.crop = crop
    }
}

/// A part of a picture, in pixels after its orientation was applied.
package struct ImageCrop: Sendable, Hashable {
    package let left: Int
    package let top: Int
    package let width: Int
    package let height: Int

    /// Creates a part, or returns `nil` where it is none.
    package init?(left: Int, top: Int, width: Int, height: Int) {
        let range = 0...ImageLimits.side
        guard range.contains(left), range.contains(top), range.contains(width), range.contains(height),
            width > 0, height > 0
        else { return nil }
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    /// Reads `left,top,width,height`.
    package init?(_ text: some StringProtocol) {
        let numbers = text.split(at: ",", omittingEmptySubsequences: false).map { Int($0, radix: 10) }
        guard numbers.count == 4, let left = numbers[0], let top = numbers[1], let width = numbers[2],
            let height = numbers[3]
        else { return nil }
        self.init(left: left, top: top, width: width, height: height)
    }

    /// The part as ``init(_:)`` reads it.
    package var text: String { "\(left),\(top),\(width),\(height)" }

    /// Whether the part is inside of a picture, or of the same picture on its side.
    func fits(_ header: PictureHeader) -> Bool {
        // safe: each is at most ImageLimits.side
        let (right, bottom) = (left + width, top + height)
        return right <= header.width && bottom <= header.height || right <= header.height && bottom <= header.width
    }
}

/// One size of a picture.
package struct ProcessedImage: Sendable, Hashable {
    /// The width in pixels.
    package let width: Int
    /// The height of a frame in pixels.
    package let height: Int
    /// The number of frames.
    package let frames: Int
    /// The encoded picture.
    package let bytes: [UInt8]
}

/// The reason why no sizes were made of a picture.
package enum ImageProcessingError: Error, Sendable, Hashable {
    /// The picture is damaged.
    case unreadable
    /// The part to use isn't inside of the picture as it is seen.
    case cropOutside
    /// The picture took too long.
    case tookTooLong
    /// The picture ended the process, by a fault of a library.
    case crashed(String)
    /// libvips isn't installed.
    case libraryMissing
    /// The process can't be started, was ended by something else, or ended in an unexpected way: no fault of the
    /// picture.
    case failed(String)
}
