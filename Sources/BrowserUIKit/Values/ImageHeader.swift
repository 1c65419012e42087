/// Reads type and size of an image from its first bytes, trusting none of them.
struct ImageHeader: Equatable {
    let mediaType: String
    let width: Int
    let height: Int

    init(mediaType: String, width: Int, height: Int) {
        self.mediaType = mediaType
        self.width = width
        self.height = height
    }

    init?(_ data: Data) {
        let bytes = [UInt8](data)
        guard let header = Self.png(bytes) ?? Self.gif(bytes) ?? Self.webP(bytes) ?? Self.jpeg(bytes),
            header.width > 0, header.height > 0
        else { return nil }
        self = header
    }

    private static func png(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count > 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
        return ImageHeader(mediaType: "image/png", width: big(bytes, 16, 4), height: big(bytes, 20, 4))
    }

    private static func gif(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count > 10, bytes.starts(with: Array("GIF8".utf8)) else { return nil }
        return ImageHeader(mediaType: "image/gif", width: little(bytes, 6, 2), height: little(bytes, 8, 2))
    }

    private static func webP(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count > 30, bytes.starts(with: Array("RIFF".utf8)), Array(bytes[8..<12]) == Array("WEBP".utf8)
        else { return nil }
        switch bytes[15] {
        case UInt8(ascii: " "):
            return ImageHeader(
                mediaType: "image/webp",
                width: little(bytes, 26, 2) & 0x3FFF,
                height: little(bytes, 28, 2) & 0x3FFF
            )
        case UInt8(ascii: "L"):
            let bits = little(bytes, 21, 4)
            return ImageHeader(
                mediaType: "image/webp",
                width: (bits & 0x3FFF) + 1,
                height: ((bits >> 14) & 0x3FFF) + 1
            )
        default:
            return ImageHeader(
                mediaType: "image/webp",
                width: little(bytes, 24, 3) + 1,
                height: little(bytes, 27, 3) + 1
            )
        }
    }

    private static func jpeg(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var index = 2
        var isTurned = false
        while index + 9 < bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            if marker == 0xE1, let orientation = orientation(bytes, from: index + 4) { isTurned = orientation >= 5 }
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                let (width, height) = (big(bytes, index + 7, 2), big(bytes, index + 5, 2))
                return ImageHeader(
                    mediaType: "image/jpeg",
                    width: isTurned ? height : width,
                    height: isTurned ? width : height
                )
            }
            index += 2 + big(bytes, index + 2, 2)
        }
        return nil
    }

    /// Returns the orientation in which a camera was held: from 5 to 8, width and height of what is shown are those of
    /// the file exchanged.
    private static func orientation(_ bytes: [UInt8], from start: Int) -> Int? {
        let tiff = start + 6
        guard tiff + 8 < bytes.count, Array(bytes[start..<start + 4]) == Array("Exif".utf8) else { return nil }
        let read = bytes[tiff] == UInt8(ascii: "I") ? little : big
        let directory = tiff + read(bytes, tiff + 4, 4)
        guard directory + 2 <= bytes.count else { return nil }
        for entry in 0..<read(bytes, directory, 2) {
            let field = directory + 2 + entry * 12
            guard field + 12 <= bytes.count else { return nil }
            if read(bytes, field, 2) == 0x0112 { return read(bytes, field + 8, 2) }
        }
        return nil
    }

    private static func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func little(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Names bytes by their content: FNV-1a, which tells images of one app apart; nothing relies on it for safety.
    static func digest(of data: Data) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in data {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16) + "-" + String(data.count, radix: 16)
    }
}
