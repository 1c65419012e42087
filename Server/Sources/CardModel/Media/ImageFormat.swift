/// A format of pictures that can be uploaded; told by the first bytes, whatever a file's name or declared type says.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case png
    case jpeg
    case webp
    case gif

    /// The media type, such as `image/png`.
    public var mediaType: String { "image/\(rawValue)" }

    /// The extension of file names, without a dot.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The name that people know, such as `JPEG`.
    public var name: String { self == .webp ? "WebP" : rawValue.uppercased() }

    /// Returns the format that bytes begin like, or `nil` where it is none of these.
    public init?(of bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(12))
        switch true {
        case head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): self = .png
        case head.starts(with: [0xFF, 0xD8, 0xFF]): self = .jpeg
        case head.starts(with: Array("GIF87a".utf8)), head.starts(with: Array("GIF89a".utf8)): self = .gif
        case head.starts(with: Array("RIFF".utf8)) && head.dropFirst(8).elementsEqual("WEBP".utf8): self = .webp
        default: return nil
        }
    }
}

/// The reason why a file can't be uploaded as a picture.
public enum ImageError: Error, Sendable, Hashable {
    /// It is none of the four formats; `isVector` where it is an SVG.
    case formatUnsupported(isVector: Bool)
    /// It is an animated PNG, of which decoders read the first frame.
    case animatedPNG
    /// It is damaged, cut off, or isn't what its first bytes say.
    case unreadable
    /// It has more bytes than ``ImageLimits/bytes``.
    case tooManyBytes
    /// It has more pixels than ``ImageLimits/pixels``, or is wider or higher than ``ImageLimits/side``.
    case tooManyPixels
    /// It has more frames than ``ImageLimits/frames``, or its frames have more pixels together than
    /// ``ImageLimits/animatedPixels``.
    case tooManyFrames
    /// The part to cut out isn't inside of the picture, or the picture is animated.
    case cropInvalid
}

/// The limits of uploaded pictures.
public enum ImageLimits {
    /// The bytes of a file.
    public static let bytes = 10 << 20
    /// The pixels of a picture, or of a frame.
    public static let pixels = 50_000_000
    /// The pixels of a side.
    public static let side = 16_383
    /// The frames of an animated picture.
    public static let frames = 300
    /// The pixels of all frames of an animated picture.
    public static let animatedPixels = 100_000_000
    /// The widths that are made of a picture, in pixels, the largest first: a card of 480 points on displays of 3×, 2×
    /// and 1×.
    public static let widths = [1_440, 960, 480]
}
