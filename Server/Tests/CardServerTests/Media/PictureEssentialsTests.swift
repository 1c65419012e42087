import CardModel
import Testing

@testable import CardServer

/// What a decoder gets to see of a picture's file.
@Suite(.serialized)
struct PictureEssentialsTests {
    private static let pictures: [(ImageFormat, [UInt8])] = [
        (.jpeg, Picture.rotatedJPEG), (.jpeg, Picture.cmykJPEG), (.jpeg, Picture.greyJPEG), (.png, Picture.alphaPNG),
        (.png, Picture.widePNG), (.png, Picture.deepPNG), (.webp, Picture.photoWebP), (.webp, Picture.movingWebP),
        (.gif, Picture.stillGIF), (.gif, Picture.movingGIF),
    ]

    /// Zeros that a thousandth of the bytes unpacks to: matches of 258 bytes in the codes that need no table.
    private static func packed(_ bytes: Int) -> [UInt8] {
        var packed: [UInt8] = [0x78, 0xDA]
        var (word, count) = (UInt64(0), 0)
        func add(_ code: UInt64, _ length: Int) {
            word |= code << UInt64(count)
            count += length
            while count >= 8 {
                packed.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
                count -= 8
            }
        }
        // The last block, a zero, and then as often the longest match one byte back.
        add(0b011, 3)
        add(0b0000_1100, 8)
        for _ in 0..<(bytes / 258) { add(0b1010_0011, 13) }
        add(0, 15)
        return packed
    }

    @Test(arguments: pictures)
    func `A picture is the same without what its pixels don't need`(format: ImageFormat, picture: [UInt8]) throws {
        let essentials = PictureEssentials.of(picture, format)
        #expect(essentials.count <= picture.count)
        #expect(try PictureHeader(of: essentials) == PictureHeader(of: picture))
        #expect(PictureEssentials.of(essentials, format) == essentials)
        let told = PictureMetadata.added(to: picture, format)
        let left = String(decoding: PictureEssentials.of(told, format), as: UTF8.self)
        for secret in ["packet", "caption", "text", "author"] where format != .gif {
            #expect(!left.contains("Secret \(secret)"))
        }
    }

    @Test func `Texts and large profiles of a PNG go, however they are packed, and what colours need stays`() {
        func essentials(with chunk: [UInt8]) -> [UInt8] {
            var picture = Picture.alphaPNG
            // Behind the header
            picture.insert(contentsOf: chunk + chunk, at: 33)
            return PictureEssentials.of(picture, .png)
        }
        let packed = Self.packed(1 << 26)
        #expect((300_000...500_000).contains(packed.count))
        var plain = PictureEssentials.of(Picture.alphaPNG, .png)
        for (name, beginning) in [
            ("zTXt", "Comment\u{0}\u{0}"), ("iTXt", "Comment\u{0}\u{1}\u{0}\u{0}\u{0}"),
            ("iCCP", "Profile\u{0}\u{0}"), ("sPLT", "Palette\u{0}"),
        ] {
            let bomb = PictureMetadata.chunk(name, Array(beginning.utf8) + packed)
            #expect(essentials(with: bomb) == plain, "\(name)")
        }
        let gamma = PictureMetadata.chunk("gAMA", [0, 0, 0xB1, 0x8F])
        let kept = essentials(with: gamma)
        plain.insert(contentsOf: gamma, at: 33)
        #expect(kept == plain)
    }

    @Test func `Of a JPEG with 100,000 comments the decoder sees none, and its orientation stays`() throws {
        let comments = Array(repeating: PictureMetadata.segment(0xFE, [65]), count: 100_000).joined()
        let picture = Picture.rotatedJPEG
        let told = picture.prefix(2) + comments + picture.dropFirst(2)
        #expect(PictureEssentials.of(Array(told), .jpeg) == PictureEssentials.of(picture, .jpeg))
        let seen = try ImageSubprocess.patient.process(Array(told), ImageJob(format: .jpeg))
        #expect(try seen == ImageSubprocess.patient.process(picture, ImageJob(format: .jpeg)))
        #expect(seen.first.map { $0.height > $0.width } == true)
    }

    @Test func `A WebP without its large EXIF data says that it has none`() throws {
        let exif = PictureMetadata.littleChunk("EXIF", Array(repeating: 0, count: 100_000))
        var picture = PictureMetadata.added(to: Picture.photoWebP, .webp)
        let plain = PictureEssentials.of(picture, .webp)
        #expect(plain[20] & 0x0C == 0x08)
        picture.insert(contentsOf: exif, at: 30)
        let size = picture.count - 8
        for index in 0..<4 { picture[4 + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
        #expect(PictureEssentials.of(picture, .webp) == plain)
    }

    @Test(arguments: pictures)
    func `No beginning and no changed byte of a picture ends the process`(format: ImageFormat, picture: [UInt8]) {
        let told = PictureMetadata.added(to: picture, format)
        for count in stride(from: 0, through: told.count, by: 3) {
            _ = PictureEssentials.of(Array(told.prefix(count)), format)
        }
        for place in stride(from: 0, to: min(told.count, 400), by: 1) {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = told
                changed[place] = value
                _ = PictureEssentials.of(changed, format)
            }
        }
    }
}
