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
}
