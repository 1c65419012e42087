import CardModel
import Testing

/// Headers of pictures, right and wrong ones.
struct PictureHeaderTests {
    private static let gif: [UInt8] =
        Array("GIF89a".utf8) + [2, 0, 3, 0, 0, 0, 0]
        + [0x2C, 0, 0, 0, 0, 2, 0, 3, 0, 0, 2, 2, 0x4C, 1, 0] + [0x3B]
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 0, 2, 0, 0, 0, 3, 8, 6, 0, 0, 0, 0, 0, 0, 0] + pngEnd
    private static let pngEnd: [UInt8] = [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    private static let jpeg: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 2, 1, 1, 0x11, 0,
    ]
    private static let webp: [UInt8] =
        Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0]

    @Test(arguments: [(gif, ImageFormat.gif), (png, .png), (jpeg, .jpeg), (webp, .webp)])
    func `Format and size are read without decoding`(bytes: [UInt8], format: ImageFormat) throws {
        let header = try PictureHeader(of: bytes)
        #expect(header.format == format)
        #expect([header.width, header.height, header.frames] == [2, 3, 1] as [Int])
    }

    @Test(arguments: [gif, png, jpeg, webp])
    func `No beginning and no changed byte of a picture ends the process`(bytes: [UInt8]) {
        for count in 0...bytes.count { _ = try? PictureHeader(of: Array(bytes.prefix(count))) }
        for place in bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var changed = bytes
                changed[place] = value
                _ = try? PictureHeader(of: changed)
            }
        }
    }

    @Test func `A chunk of a WebP that is shorter than its header is refused, whatever stands behind it`() {
        for (name, header) in [("VP8X", 10), ("VP8 ", 10), ("VP8L", 5)] {
            for length in 0..<header {
                var bytes = Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WEBP".utf8)
                bytes += Array(name.utf8) + [UInt8(length), 0, 0, 0, 0x2F] + Array(repeating: 0, count: 27)
                #expect(throws: ImageError.unreadable) { try PictureHeader(of: bytes) }
            }
        }
    }

    /// Returns the PNG with a chunk before its end.
    private static func adding(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8] = [0, 0, 0, UInt8(content.count)]
        var bytes = Array(png.dropLast(pngEnd.count))
        bytes += length + Array(name.utf8) + content
        bytes += [0, 0, 0, 0]
        return bytes + pngEnd
    }

    @Test func `A PNG is read to its end, so that one that is cut off is refused`() throws {
        for count in Self.png.indices.dropFirst(8) {
            #expect(throws: ImageError.unreadable) { try PictureHeader(of: Array(Self.png.prefix(count))) }
        }
        #expect(try PictureHeader(of: Self.png + [1, 2, 3]).width == 2)
        #expect(try PictureHeader(of: Self.adding("tEXt", [65, 0, 66])).width == 2)
    }

    @Test func `An animated PNG is refused, and one that says it has a single frame isn't`() throws {
        let animated = Self.adding("acTL", [0, 0, 0, 2, 0, 0, 0, 0])
        #expect(throws: ImageError.animatedPNG) { try PictureHeader(of: animated) }
        #expect(try PictureHeader(of: Self.adding("acTL", [0, 0, 0, 1, 0, 0, 0, 0])).frames == 1)
        #expect(try PictureHeader(of: Self.adding("acTL", [])).frames == 1)
    }

    @Test func `What is no picture is told apart from an SVG`() {
        #expect(throws: ImageError.formatUnsupported(isVector: true)) {
            try PictureHeader(of: Array("\u{FEFF} <!-- x --> <SVG xmlns='x'/>".utf8))
        }
        #expect(throws: ImageError.formatUnsupported(isVector: false)) { try PictureHeader(of: Array("hello".utf8)) }
        #expect(throws: ImageError.formatUnsupported(isVector: false)) { try PictureHeader(of: []) }
    }

    @Test(arguments: ["<svg\u{301}/>", "\u{D4E}<svg/>", "\u{600}<SVG\u{200D}>"])
    func `An SVG is known by its bytes, whatever marks stand beside its name`(text: String) {
        #expect(throws: ImageError.formatUnsupported(isVector: true)) { try PictureHeader(of: Array(text.utf8)) }
    }

    @Test(arguments: [
        ("Summer Sale.JPG", "summer-sale.jpg"), ("../../etc/passwd", "passwd.jpg"), ("C:\\a\\b c.png", "b-c.jpg"),
        ("夏.png", "picture.jpg"), ("", "picture.jpg"), ("--a__b--", "a-b.jpg"), ("<script>.x", "script.jpg"),
    ])
    func `A name in an address has letters, digits and hyphens`(file: String, name: String) {
        #expect(MediaItem.slug(for: file, .jpeg) == name)
        // The addresses of pictures that had their names from addresses stay.
        #expect(MediaItem.slug(for: name, .jpeg) == name)
    }

    @Test(arguments: [
        ("夏のバナー.png", "夏のバナー.png"), ("../../a/Summer Sale.JPG", "Summer Sale.JPG"), ("C:\\a\\b c.png", "b c.png"),
        ("a\u{202E}gpj.exe\n", "agpj.exe"), ("", "picture.jpg"), (" \u{7} ", "picture.jpg"), ("a/", "a"),
    ])
    func `A name for people is what the file was called, without what would hide it`(file: String, name: String) {
        #expect(MediaItem.name(for: file, .jpeg) == name)
    }

    @Test func `A long name is cut at a character, within the limit`() {
        for length in [85, 86, 4_000] {
            let name = MediaItem.name(for: String(repeating: "夏", count: length), .jpeg)
            #expect(name.utf8.count <= MediaItem.nameLimit && name.hasPrefix("夏夏"))
            #expect(name.hasSuffix("….jpg") == (length > 85))
        }
    }
}
