import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import ContentCardsUI
import Foundation
import Testing

/// Has one image for all addresses, and calls back on another thread.
@MainActor
private final class OwnImages: ABKImageDelegate {
    let image = UIImage(
        data: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
            + Data([0, 0, 0, 60, 0, 0, 0, 20, 8, 6])
    )
    private(set) var asked: [URL?] = []

    func setImageFor(
        _ imageView: UIImageView,
        showActivityIndicator: Bool,
        with imageURL: URL?,
        imagePlaceHolder placeHolder: UIImage?,
        completed completion: ((UIImage?, (any Error)?, Int, URL?) -> Void)?
    ) {
        asked.append(imageURL)
        nonisolated(unsafe) let completion = completion
        Thread.detachNewThread { [image] in completion?(image, nil, 0, imageURL) }
    }
}

/// Sets the image of a view by itself, as libraries do, unless the view was given another address since.
@MainActor
private final class SettingImages: ABKImageDelegate {
    let image = OwnImages().image
    let cached = UIImage(data: Data("GIF89a".utf8) + Data([2, 0, 1, 0, 0, 0]))
    private var loads: [ObjectIdentifier: () -> Void] = [:]

    func setImageFor(
        _ imageView: UIImageView,
        showActivityIndicator: Bool,
        with imageURL: URL?,
        imagePlaceHolder placeHolder: UIImage?,
        completed completion: ((UIImage?, (any Error)?, Int, URL?) -> Void)?
    ) {
        imageView.image = placeHolder
        loads[ObjectIdentifier(imageView)] = nil
        guard let imageURL else { return }
        loads[ObjectIdentifier(imageView)] = { [image] in
            imageView.image = image
            completion?(image, nil, 0, imageURL)
        }
    }

    func imageFromCache(for url: URL?) -> UIImage? { url?.lastPathComponent == "cached.png" ? cached : nil }

    /// Has all images come that are still wanted.
    func finish() {
        for load in loads.values { load() }
        loads = [:]
    }
}

/// Shows a placeholder.
private final class PlaceholderCell: ABKBannerContentCardCell {
    static let placeholder = UIImage(data: Data("GIF89a".utf8) + Data([1, 0, 1, 0, 0, 0]))

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    override func getPlaceHolderImage() -> UIImage! { Self.placeholder }
}

extension SharedInstanceTests {
    @Suite("An image delegate")
    @MainActor
    struct ImageDelegates {
        @Test("loads the images of cells, whose placeholder is shown until then, and the card takes the real ratio")
        func loading() async throws {
            let harness = await Harness([
                .fixture("banner") {
                    $0.kind = .banner
                    $0.image = "https://shop.example/1.png"
                }
            ])
            await harness.refresh()
            let images = OwnImages()
            harness.appboy.imageDelegate = images
            let card = try #require(harness.appboy.contentCardsController.contentCards.first as? ABKBannerContentCard)
            let cell = PlaceholderCell(style: .default, reuseIdentifier: nil)
            cell.apply(card.contentCard)
            let view = try #require(cell.bannerImageView as? CardImageView)
            #expect(view.state == .loading)
            #expect(cell.bannerImageView.image === PlaceholderCell.placeholder)
            #expect(!view.indicator.isAnimating)
            while view.state == .loading { await Task.yield() }
            #expect(view.state == .shown)
            #expect(cell.bannerImageView.image === images.image)
            #expect(images.asked.map { $0?.absoluteString } == ["https://shop.example/1.png"])
            #expect(cell.card?.contentCard.imageAspectRatio == 3)
            harness.appboy.imageDelegate = nil
            await harness.stop()
        }

        @Test("sets no image of before in a cell that shows one it has at once, or none")
        func reuse() async {
            let harness = await Harness()
            let images = SettingImages()
            harness.appboy.imageDelegate = images
            let next: [(String, UIImage?)] = [("", nil), ("https://shop.example/cached.png", images.cached)]
            for (name, shown) in next {
                let cell = ABKBannerContentCardCell(style: .default, reuseIdentifier: nil)
                for image in ["https://shop.example/1.png", name] {
                    cell.prepareForReuse()
                    cell.apply(
                        ContentCard.fixture("card \(image)") {
                            $0.kind = .banner
                            $0.image = image
                        }
                    )
                }
                images.finish()
                #expect(cell.bannerImageView.image === shown, "\(name)")
            }
            harness.appboy.imageDelegate = nil
            await harness.stop()
        }
    }
}
