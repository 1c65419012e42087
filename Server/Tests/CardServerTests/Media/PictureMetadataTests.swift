import CardModel
import Testing

@testable import CardServer

/// What is kept of what cameras and programs write about pictures: nothing, in no size.
@Suite(.serialized)
struct PictureMetadataTests {
    private static let pictures: [(ImageFormat, [UInt8])] = [
        (.jpeg, Picture.cmykJPEG), (.png, Picture.alphaPNG), (.png, Picture.deepPNG), (.webp, Picture.photoWebP),
        (.webp, Picture.movingWebP), (.gif, Picture.stillGIF), (.gif, Picture.movingGIF),
    ]

    @Test(arguments: pictures)
    func `A picture with a place and a picture without one are the same in every size`(
        format: ImageFormat,
        picture: [UInt8]
    ) throws {
        var job = ImageJob(format: format)
        job.widths = [1_440, 16, 8]
        let told = PictureMetadata.added(to: picture, format)
        #expect(Self.hasSecret(told))
        let plain = try ImageSubprocess.patient.process(picture, job)
        let sizes = try ImageSubprocess.patient.process(told, job)
        #expect(sizes.count == 3)
        #expect(sizes == plain)
        for size in sizes { #expect(!Self.hasSecret(size.bytes), "\(size.width)") }
    }

    @Test(arguments: pictures.filter { (try? PictureHeader(of: $0.1))?.frames == 1 })
    func `A part of a picture has nothing of it either`(format: ImageFormat, picture: [UInt8]) throws {
        var job = ImageJob(format: format, crop: ImageCrop("2,2,16,16"))
        job.widths = [16, 8]
        let told = PictureMetadata.added(to: picture, format)
        let sizes = try ImageSubprocess.patient.process(told, job)
        #expect(sizes.map(\.width) == [16, 8])
        let plain = try ImageSubprocess.patient.process(picture, job)
        #expect(sizes == plain)
        for size in sizes { #expect(!Self.hasSecret(size.bytes), "\(size.width)") }
    }

    private static func hasSecret(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains("Secret")
    }
}
