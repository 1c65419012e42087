import Foundation
import Testing

@testable import BrowserUIKit

@Suite("The header of an image")
struct ImageHeaderTests {
    @Test("is read from PNG and GIF, and refused when it makes no sense")
    func headers() {
        var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        png += Data("IHDR".utf8) + Data([0, 0, 1, 0, 0, 0, 0, 8, 8, 6])
        #expect(ImageHeader(png) == ImageHeader(mediaType: "image/png", width: 256, height: 8))
        let gif = Data("GIF89a".utf8) + Data([2, 0, 3, 0, 0])
        #expect(ImageHeader(gif) == ImageHeader(mediaType: "image/gif", width: 2, height: 3))
        #expect(ImageHeader(Data("<svg onload=alert(1)>".utf8)) == nil)
        #expect(ImageHeader(Data([0xFF, 0xD8, 0xFF, 0xC0])) == nil)
        #expect(ImageHeader(Data()) == nil)
        for length in 0..<png.count { _ = ImageHeader(png.prefix(length)) }
    }

    /// A JPEG file of 40 by 30 pixels, of a camera held as said.
    private func jpeg(orientation: UInt8?, isLittle: Bool = true) -> Data {
        var bytes: [UInt8] = [0xFF, 0xD8]
        if let orientation {
            let tiff: [UInt8] =
                isLittle
                ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
                : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
            let exif = Array("Exif\0\0".utf8) + tiff
            bytes += [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        }
        return Data(bytes + [0xFF, 0xC0, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0])
    }

    @Test("exchanges width and height for cameras that were held upright", arguments: [nil, 1, 3, 6, 8] as [UInt8?])
    func orientation(value: UInt8?) throws {
        for isLittle in [true, false] {
            let header = try #require(ImageHeader(jpeg(orientation: value, isLittle: isLittle)))
            let isTurned = (value ?? 1) >= 5
            #expect(header.width == (isTurned ? 30 : 40))
            #expect(header.height == (isTurned ? 40 : 30))
        }
    }

    @Test("survives files that end anywhere")
    func truncation() {
        let whole = jpeg(orientation: 6)
        for count in 0..<whole.count { _ = ImageHeader(whole.prefix(count)) }
    }
}
