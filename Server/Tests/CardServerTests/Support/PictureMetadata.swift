import CardModel
import Foundation

/// Adds to pictures what cameras and programs write about them; each text of it begins with `Secret`.
enum PictureMetadata {
    /// A description, a camera, its serial number, a comment, a place and a thumbnail.
    private static let exif = [UInt8](
        Data(
            base64Encoded: """
                SUkqAAgAAAAEAA4BAgATAAAA1AAAAA8BAgAOAAAA6AAAAGmHBAABAAAAPgAAACWIBAABAAAAXAAAAKoAAAACAIaSBwAWAAAA9gAAADGkAgAOAA
                AADAEAAAAAAAAGAAAAAQAEAAAAAgMAAAEAAgACAAAATgAAAAIABQADAAAAGgEAAAMAAgACAAAARQAAAAQABQADAAAAMgEAABsABwAUAAAASgEA
                AAAAAAADAAMBAwABAAAABgAAAAECBAABAAAAXgEAAAICBAABAAAAFAAAAAAAAABTZWNyZXQgZGVzY3JpcHRpb24AAFNlY3JldCBjYW1lcmEAQV
                NDSUkAAABTZWNyZXQgY29tbWVudFNlY3JldCBzZXJpYWwAMAAAAAEAAAAzAAAAAQAAAB0AAAABAAAAAgAAAAEAAAARAAAAAQAAACgAAAABAAAA
                QVNDSUkAAABTZWNyZXQgcGxhY2X/2FNlY3JldCB0aHVtYm5haWz/2Q==
                """,
            options: .ignoreUnknownCharacters
        ) ?? Data()
    )
    private static let packet = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">Secret packet</x:xmpmeta>".utf8)

    /// Returns a picture with all that its format can carry.
    static func added(to picture: [UInt8], _ format: ImageFormat) -> [UInt8] {
        switch format {
        case .jpeg: addedToJPEG(picture)
        case .png: addedToPNG(picture)
        case .webp: addedToWebP(picture)
        case .gif: addedToGIF(picture)
        }
    }

    // MARK: Formats

    private static func addedToJPEG(_ picture: [UInt8]) -> [UInt8] {
        let caption = Array("Secret caption".utf8)
        var record: [UInt8] = [0x1C, 2, 0x78]
        record += bytes(caption.count, 2)
        record += caption
        record.append(0)
        var resource = Array("Photoshop 3.0\u{0}8BIM".utf8)
        resource += [4, 4, 0, 0]
        resource += bytes(record.count, 4)
        resource += record
        var told = Array(picture.prefix(2))
        told += segment(0xE1, Array("Exif\u{0}\u{0}".utf8) + exif)
        told += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\u{0}".utf8) + packet)
        told += segment(0xED, resource)
        told += segment(0xFE, Array("Secret comment".utf8))
        told += picture.dropFirst(2)
        return told
    }

    private static func addedToPNG(_ picture: [UInt8]) -> [UInt8] {
        var told = Array(picture.prefix(33))
        told += chunk("tEXt", Array("Comment\u{0}Secret text".utf8))
        told += chunk("tEXt", Array("Author\u{0}Secret author".utf8))
        told += chunk("iTXt", Array("XML:com.adobe.xmp\u{0}\u{0}\u{0}\u{0}\u{0}".utf8) + packet)
        told += chunk("eXIf", exif)
        told += chunk("pHYs", [0, 0, 0x27, 0x0F, 0, 0, 0x27, 0x0F, 1])
        told += picture.dropFirst(33)
        return told
    }

    private static func addedToWebP(_ picture: [UInt8]) -> [UInt8] {
        var body = Array(picture.dropFirst(12))
        if body.starts(with: Array("VP8X".utf8)) {
            body[8] |= 0x0C
        } else if let header = try? PictureHeader(of: picture) {
            var content: [UInt8] = [0x0C, 0, 0, 0]
            content += littleBytes(header.width - 1, 3)
            content += littleBytes(header.height - 1, 3)
            body = littleChunk("VP8X", content) + body
        }
        var all = Array("WEBP".utf8)
        all += body
        all += littleChunk("EXIF", exif)
        all += littleChunk("XMP ", packet)
        var told = Array("RIFF".utf8)
        told += littleBytes(all.count, 4)
        told += all
        return told
    }

    private static func addedToGIF(_ picture: [UInt8]) -> [UInt8] {
        let palette = picture[10] & 0x80 == 0 ? 0 : 3 << (Int(picture[10] & 7) + 1)
        var told = Array(picture.prefix(13 + palette))
        told += [0x21, 0xFE, 14]
        told += Array("Secret comment".utf8)
        told += [0, 0x21, 0xFF, 11]
        told += Array("XMP DataXMP".utf8)
        told.append(13)
        told += Array("Secret packet".utf8)
        told.append(0)
        told += picture.dropFirst(13 + palette)
        return told
    }

    // MARK: Parts

    /// Returns a chunk of a PNG.
    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        var checksum = UInt32.max
        for byte in named {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 0 ? checksum >> 1 : (checksum >> 1) ^ 0xEDB8_8320 }
        }
        return bytes(content.count, 4) + named + bytes(Int(~checksum), 4)
    }

    /// Returns a segment of a JPEG.
    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + bytes(content.count + 2, 2) + content
    }

    /// Returns a chunk of a WebP.
    static func littleChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let padding: [UInt8] = content.count.isMultiple(of: 2) ? [] : [0]
        return Array(name.utf8) + littleBytes(content.count, 4) + content + padding
    }

    /// Returns the lowest bytes of a number, the most significant first.
    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// Returns the lowest bytes of a number, the least significant first.
    private static func littleBytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
