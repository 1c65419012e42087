/// The part of a picture's file that says how its pixels look.
///
/// What else a file has goes before a decoder sees it. Decoders read all of it: a text of a PNG of a megabyte unpacks
/// to a gigabyte, and each of a million comments of a JPEG becomes a field of its own. What stays is what colours and
/// the orientation need, once and in the size that it can have.
public struct PictureEssentials {
    /// The largest EXIF data that is kept: as much as a JPEG can have.
    static let exifBytes = 65_533
    /// The largest packed profile of a PNG that is kept; the largest that cameras and programs write take a tenth.
    static let profileBytes = 131_072

    /// The chunks of a PNG that may be absent and are kept, and how many bytes each may have.
    private static let pngChunks = [
        "tRNS": 768, "gAMA": 4, "cHRM": 32, "sRGB": 1, "sBIT": 4, "cICP": 4, "iCCP": profileBytes, "eXIf": exifBytes,
    ]
    /// The chunks of a WebP that are kept, but for EXIF data.
    private static let webPChunks: Set = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
    /// The bits by which a WebP says that it has EXIF data and XMP.
    private static let webPMetadataBits: (exif: UInt8, xmp: UInt8) = (0x08, 0x04)

    private let bytes: [UInt8]
    private var position = 0
    private var kept: [UInt8] = []
    /// The chunks and segments that are kept once and were.
    private var seen: Set<String> = []

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        kept.reserveCapacity(bytes.count)
    }

    /// Returns what a decoder needs of a file; what isn't as its format says stays, for the decoder to refuse.
    public static func of(_ bytes: [UInt8], _ format: ImageFormat) -> [UInt8] {
        var essentials = PictureEssentials(bytes)
        switch format {
        case .png: essentials.readPNG()
        case .jpeg: essentials.readJPEG()
        case .webp: return essentials.readWebP() ? essentials.kept : bytes
        // Nothing in it is packed but the pixels, and the decoder passes over the rest.
        case .gif: return bytes
        }
        return essentials.kept
    }

    // MARK: Formats

    /// A signature, and then chunks of a length, a name, data and a checksum.
    private mutating func readPNG() {
        keep(to: 8)
        // safe: a place in ten megabytes
        while let length = number(at: position, 4), let name = name(at: position + 4) {
            // safe: a place in ten megabytes, and 32 bits
            let end = position + length + 12
            guard end <= bytes.count else { break }
            if isNeededInPNG(name, length) { keep(to: end) } else { position = end }
            if name == "IEND" { return }
        }
        keep(to: bytes.count)
    }

    private mutating func isNeededInPNG(_ name: String, _ length: Int) -> Bool {
        // A capital says that no decoder can do without it.
        if let first = name.utf8.first, first & 0x20 == 0 { return true }
        guard let bound = Self.pngChunks[name], length <= bound else { return false }
        return seen.insert(name).inserted
    }

    /// Segments up to the first scan, which go on as they are: a marker, and for most a length and data.
    private mutating func readJPEG() {
        keep(to: 2)
        while let (start, marker) = nextMarker() {
            // The end, or the pixels.
            guard marker != 0xD9, marker != 0xDA else {
                position = start
                break
            }
            if marker == 0x01 || (0xD0...0xD8).contains(marker) {
                // safe: both are in the file
                kept += bytes[start..<position]
                continue
            }
            // safe: a place in ten megabytes, and 16 bits
            guard let length = number(at: position, 2), length >= 2, position + length <= bytes.count else {
                position = start
                break
            }
            // safe: checked above
            let end = position + length
            // safe: the segment is in the file, and begins with two bytes of length
            if isNeededInJPEG(marker, bytes[(position + 2)..<end]) { kept += bytes[start..<end] }
            position = end
        }
        keep(to: bytes.count)
    }

    private mutating func isNeededInJPEG(_ marker: UInt8, _ data: ArraySlice<UInt8>) -> Bool {
        switch marker {
        case 0xE0: data.starts(with: "JFIF\u{0}".utf8) && seen.insert("JFIF").inserted
        case 0xE1: data.starts(with: "Exif\u{0}\u{0}".utf8) && seen.insert("Exif").inserted
        // A profile takes several, and no more than 255.
        case 0xE2: data.starts(with: "ICC_PROFILE\u{0}".utf8)
        case 0xE3...0xED, 0xEF, 0xFE: false
        case 0xEE: data.starts(with: "Adobe".utf8) && seen.insert("Adobe").inserted
        default: true
        }
    }

    /// A head with the length of the file, and then chunks of a name, a length and data of an even length.
    private mutating func readWebP() -> Bool {
        guard let length = littleNumber(at: 4), length + 8 <= bytes.count else { return false }
        let end = length + 8
        var bits: Int?
        var dropped: UInt8 = 0
        keep(to: 12)
        // safe: places in ten megabytes
        while end - position >= 8, let name = name(at: position), let length = littleNumber(at: position + 4) {
            // safe: a place in ten megabytes, and 32 bits
            guard position + 8 + length <= end else { return false }
            // safe: checked above
            let next = min(position + 8 + length + length % 2, end)
            if isNeededInWebP(name, length) {
                if name == "VP8X", length > 0 { bits = bits ?? kept.count + 8 }
                keep(to: next)
            } else {
                if name == "EXIF" { dropped |= Self.webPMetadataBits.exif }
                if name == "XMP " { dropped |= Self.webPMetadataBits.xmp }
                position = next
            }
        }
        if seen.contains("EXIF") { dropped &= ~Self.webPMetadataBits.exif }
        if let bits { kept[bits] &= ~dropped }
        return setWebPLength()
    }

    private mutating func isNeededInWebP(_ name: String, _ length: Int) -> Bool {
        switch name {
        case "EXIF": length <= Self.exifBytes && seen.insert(name).inserted
        case "ICCP": seen.insert(name).inserted
        default: Self.webPChunks.contains(name)
        }
    }

    private mutating func setWebPLength() -> Bool {
        guard kept.count >= 12, let length = UInt32(exactly: kept.count - 8) else { return false }
        for index in 0..<4 {
            // safe: twelve bytes are there, and a byte of 32 bits fits
            kept[4 + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(index)))
        }
        return true
    }

    // MARK: Bytes

    /// Keeps what is before a place.
    private mutating func keep(to end: Int) {
        let end = min(end, bytes.count)
        guard position < end else { return }
        kept += bytes[position..<end]
        position = end
    }

    /// Passes over whatever stands before the next marker of a JPEG, as decoders do, and returns where that begins.
    private mutating func nextMarker() -> (start: Int, marker: UInt8)? {
        // safe: a place in the file
        while let found = bytes[position...].firstIndex(of: 0xFF) {
            // safe: found in the file
            guard let code = bytes[found...].firstIndex(where: { $0 != 0xFF }) else { return nil }
            position = code + 1
            // safe: found in the file, after another
            if bytes[code] != 0 { return (code - 1, bytes[code]) }
        }
        return nil
    }

    // safe: checked where it is called from, and here
    private func name(at place: Int) -> String? {
        guard place >= 0, place <= bytes.count - 4 else { return nil }
        return String(decoding: bytes[place..<(place + 4)], as: UTF8.self)
    }

    // safe: checked here; at most 32 bits
    private func number(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place <= bytes.count - count else { return nil }
        return bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    // safe: checked here; at most 32 bits
    private func littleNumber(at place: Int) -> Int? {
        guard place >= 0, place <= bytes.count - 4 else { return nil }
        return bytes[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
