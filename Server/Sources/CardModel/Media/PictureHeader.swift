import WireJSON

/// The size of a picture, read from its bytes without decoding it.
///
/// What a decoder would need for the picture is known before a decoder is asked.
public struct PictureHeader: Sendable, Hashable {
    /// The format.
    public let format: ImageFormat
    /// The width in pixels, before the orientation is applied.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The number of frames; 1 for a still picture.
    public let frames: Int

    /// Reads the header of a file.
    ///
    /// - Throws: ``ImageError`` where it is no picture, or one that is too large.
    public init(of bytes: [UInt8]) throws(ImageError) {
        guard bytes.count <= ImageLimits.bytes else { throw .tooManyBytes }
        guard let format = ImageFormat(of: bytes) else {
            throw .formatUnsupported(isVector: Self.looksLikeVector(bytes))
        }
        var reader = ImageReader(bytes)
        let size: ImageReader.Size? =
            switch format {
            case .png: reader.readPNG()
            case .jpeg: reader.readJPEG()
            case .webp: reader.readWebP()
            case .gif: reader.readGIF()
            }
        guard let size, size.width > 0, size.height > 0, size.frames > 0 else { throw .unreadable }
        guard format != .png || size.frames == 1 else { throw .animatedPNG }
        self.format = format
        (width, height, frames) = (size.width, size.height, size.frames)
        try checkLimits()
    }

    private func checkLimits() throws(ImageError) {
        guard width <= ImageLimits.side, height <= ImageLimits.side else { throw .tooManyPixels }
        let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, pixels <= ImageLimits.pixels else { throw .tooManyPixels }
        let (all, overflowsAll) = pixels.multipliedReportingOverflow(by: frames)
        guard frames <= ImageLimits.frames, frames == 1 || !overflowsAll && all <= ImageLimits.animatedPixels else {
            throw .tooManyFrames
        }
    }

    /// Whether a text begins like an SVG, after blanks, a byte order mark, comments and declarations.
    private static func looksLikeVector(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes.prefix(1_024), as: UTF8.self).lowercased().contains(bytesOf: "<svg")
    }
}

/// Reads the structure of the formats; `nil` where a file isn't as its format says.
struct ImageReader {
    struct Size {
        var width: Int
        var height: Int
        var frames = 1
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Formats

    mutating func readPNG() -> Size? {
        // The header comes first: its length, its name, width and height.
        guard skip(8), number(4) == 13, text(4) == "IHDR", let width = number(4), let height = number(4), skip(9) else {
            return nil
        }
        var size = Size(width: width, height: height)
        var hasPixels = false
        // A file that is cut off has no end.
        while let length = number(4), let name = text(4) {
            let start = position
            if name == "IDAT" { hasPixels = true }
            // An animation says so before its pixels; elsewhere it is none to anybody.
            if name == "acTL", !hasPixels { size.frames = max(1, number(4) ?? 1) }
            position = start
            guard skip(length), skip(4) else { return nil }
            if name == "IEND" { return size }
        }
        return nil
    }

    mutating func readJPEG() -> Size? {
        guard skip(2) else { return nil }
        while let marker = nextMarker() {
            // The start of frame says the size; C4, C8 and CC are of another kind.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                guard skip(3), let height = number(2), let width = number(2) else { return nil }
                return Size(width: width, height: height)
            }
            guard marker != 0xD9, marker != 0xDA else { return nil }
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard let length = number(2), length >= 2, skip(length - 2) else { return nil }
        }
        return nil
    }

    mutating func readGIF() -> Size? {
        guard skip(6), let width = littleNumber(2), let height = littleNumber(2), let flags = number(1), skip(2),
            skip(Self.paletteBytes(flags))
        else { return nil }
        var size = Size(width: width, height: height, frames: 0)
        while let block = number(1) {
            switch block {
            case 0x3B: return size
            case 0x21: guard skip(1), skipSubblocks() else { return nil }
            case 0x2C:
                guard skip(8), let flags = number(1), skip(Self.paletteBytes(flags)), skip(1), skipSubblocks() else {
                    return nil
                }
                // At most one a byte.
                size.frames += 1
            default: return nil
            }
        }
        return nil
    }

    mutating func readWebP() -> Size? {
        // At most ten megabytes.
        guard skip(4), let length = littleNumber(4), length <= bytes.count - 8, skip(4) else { return nil }
        // Checked above.
        let end = length + 8
        var size: Size?
        var frames = 0
        // What is too short for a chunk is passed over, as decoders do.
        // safe: a position is inside of the bytes, and an end as well
        while end - position >= 8, let name = text(4), let length = littleNumber(4) {
            let start = position
            // What is behind the end is none of the picture, and what is behind a chunk none of the chunk.
            // safe: eight bytes fit before the end
            guard length <= end - start, length >= Self.webPHeaders[name, default: 0] else { return nil }
            switch name {
            case "VP8X": size = readExtended()
            case "VP8 ": size = size ?? readLossy()
            case "VP8L": size = size ?? readLossless()
            // At most one every eight bytes.
            case "ANMF": frames += 1
            default: break
            }
            position = start
            // Chunks are of an even length.
            guard skip(length), length.isMultiple(of: 2) || position == end || skip(1) else { return nil }
        }
        size?.frames = max(1, frames)
        return size
    }

    // MARK: Parts

    /// Returns the next marker, behind whatever fills the space before it.
    private mutating func nextMarker() -> Int? {
        guard number(1) == 0xFF else { return nil }
        while let code = number(1) { if code != 0xFF { return code } }
        return nil
    }

    private static func paletteBytes(_ flags: Int) -> Int {
        // Three bits.
        flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
    }

    private mutating func skipSubblocks() -> Bool {
        while let length = number(1) {
            if length == 0 { return true }
            guard skip(length) else { return false }
        }
        return false
    }

    /// The bytes of the headers of chunks that say a size.
    private static let webPHeaders = ["VP8X": 10, "VP8 ": 10, "VP8L": 5]

    private mutating func readExtended() -> Size? {
        guard skip(4), let width = littleNumber(3), let height = littleNumber(3) else { return nil }
        // 24 bits.
        return Size(width: width + 1, height: height + 1)
    }

    private mutating func readLossy() -> Size? {
        guard skip(3), number(3) == 0x9D012A, let width = littleNumber(2), let height = littleNumber(2) else {
            return nil
        }
        return Size(width: width & 0x3FFF, height: height & 0x3FFF)
    }

    private mutating func readLossless() -> Size? {
        guard number(1) == 0x2F, let bits = littleNumber(4) else { return nil }
        // 14 bits each.
        return Size(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
    }

    // MARK: Bytes

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        // safe: the position is inside of the bytes
        guard count >= 0, count <= bytes.count - position else { return nil }
        // safe: checked above
        defer { position += count }
        // safe: checked above
        return bytes[position..<position + count]
    }

    private mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    private mutating func text(_ count: Int) -> String? { take(count).map { String(decoding: $0, as: UTF8.self) } }

    /// Reads a number of at most four bytes, the most significant first.
    private mutating func number(_ count: Int) -> Int? { take(count)?.reduce(0) { $0 << 8 | Int($1) } }

    /// Reads a number of at most four bytes, the least significant first.
    private mutating func littleNumber(_ count: Int) -> Int? { take(count)?.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
