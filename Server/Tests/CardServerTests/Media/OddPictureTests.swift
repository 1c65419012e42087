import CardModel
import Testing
import WireJSON

@testable import CardServer

/// Pictures that are cut off, animated where that isn't kept, on their side, or of colours that their profile isn't
/// for.
@Suite(.serialized)
struct OddPictureTests {
    private static let whole = [
        Picture.rotatedJPEG, Picture.cmykJPEG, Picture.alphaPNG, Picture.widePNG, Picture.photoWebP, Picture.movingWebP,
        Picture.stillGIF, Picture.movingGIF,
    ]

    @Test func `A file that is cut off is refused, whatever its format is and wherever it ends`() async throws {
        try await Workspace.run { space in
            for picture in Self.whole {
                for left in [picture.count / 2, picture.count * 3 / 4, picture.count - 20, picture.count - 4] {
                    // As slowly as a key may.
                    space.time.advance(by: 2)
                    let answer = try await space.upload(Array(picture.prefix(left)))
                    #expect(answer.code == "image_unreadable", "\(left) of \(picture.count) bytes")
                }
            }
        }
    }

    @Test func `An animated PNG is refused with what to do, since one frame of it would be shown`() async throws {
        try await Workspace.run { space in
            let control = PictureMetadata.chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0])
            let animated = Array(Picture.alphaPNG.prefix(33)) + control + Picture.alphaPNG.dropFirst(33)
            let answer = try await space.upload(animated)
            #expect(answer.status == 415)
            #expect(answer.code == "image_format_unsupported")
            #expect(answer.text.contains("GIF or WebP"))
        }
    }

    @Test func `A part is of the picture as it is seen, not as its file lies`() async throws {
        try await Workspace.run { space in
            let lying = try await space.upload(Picture.rotatedJPEG, "?crop=0,0,60,40")
            #expect(lying.status == 400)
            #expect(lying.path == "crop")
            let seen = try await space.upload(Picture.rotatedJPEG, "?crop=0,0,40,60")
            #expect(seen.json["width"]?.integer == 40)
            #expect(seen.json["height"]?.integer == 60)
        }
    }

    @Test func `A profile for other colours than a picture has is passed over`() throws {
        let size = try #require(try ImageSubprocess.patient.process(Picture.greyJPEG, ImageJob(format: .jpeg)).first)
        #expect([size.width, size.height] == [16, 12] as [Int])
        let part = ImageJob(format: .jpeg, crop: ImageCrop("2,2,8,8"))
        #expect(try ImageSubprocess.patient.process(Picture.greyJPEG, part).map(\.width) == [8])
    }
}
