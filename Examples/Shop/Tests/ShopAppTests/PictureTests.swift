import BrowserUIKit
import ContentCardsUI
import Foundation
import Testing

@testable import ShopApp

@MainActor
@Suite("A picture")
struct PictureTests {
    private struct NoImages: ImageFetching {
        func data(from url: URL, isFresh: Bool) async throws -> Data { throw URLError(.notConnectedToInternet) }
    }

    private func isSymbol(_ picture: PictureView) -> Bool {
        picture.contentMode == .center && picture.image != nil
    }

    @Test(
        "is a symbol where the app has none of that name, and no other file of the device",
        arguments: ["", "none", "../icons/tag"]
    )
    func names(_ name: String) {
        let picture = PictureView(frame: .zero)
        picture.show(name)
        #expect(isSymbol(picture))
        picture.show("tent")
        #expect(picture.contentMode == .scaleAspectFill && picture.image != nil && !isSymbol(picture))
    }

    @Test("is a symbol where an address gives none, and what was asked for last")
    func addresses() async throws {
        let loader = CardImageLoader.shared
        CardImageLoader.shared = CardImageLoader(fetcher: NoImages(), directory: nil)
        defer { CardImageLoader.shared = loader }
        let (picture, other) = (PictureView(frame: .zero), PictureView(frame: .zero))
        picture.show("https://shop.example/a.png")
        other.show("https://shop.example/a.png")
        #expect(picture.image == nil)
        other.show("tent")
        let end = Date() + 60
        while !isSymbol(picture) {
            try #require(Date() < end)
            await Task.yield()
        }
        #expect(other.contentMode == .scaleAspectFill && !isSymbol(other))
    }

    private func message(_ image: String?) throws -> FullPageMessage {
        var extras = ["message_title": "News"]
        extras["message_image"] = image
        let data: [ContentCardKey: Any] = [.idString: "m", .created: 1.0, .dismissible: true, .extras: extras]
        return try #require(FullPageMessage(metaData: data, classType: .message(.fullPage)))
    }

    /// The pictures in a view and in those in it.
    private func pictures(in view: UIView) -> [PictureView] {
        view.subviews.flatMap { ($0 as? PictureView).map { [$0] } ?? pictures(in: $0) }
    }

    @Test("of a message is gone from a row that shows another one without, and back with the next one that has one")
    func reusedRow() throws {
        let cell = MessageCell(style: .default, reuseIdentifier: nil)
        let picture = try #require(pictures(in: cell.contentView).first)
        var shown: [UIImage?] = []
        for image in ["tent", nil, "tent", "backpack"] {
            cell.show(try message(image), now: Date())
            #expect(picture.isHidden == (image == nil))
            shown.append(picture.isHidden ? nil : picture.image)
        }
        #expect(shown[0] != nil && shown[0] === shown[2])
        #expect(shown[3] != nil && shown[3] !== shown[0])
    }
}
