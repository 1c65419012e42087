import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

/// Gives images when the test says so.
actor ScriptedImages: ImageFetching {
    struct Missing: Error {}

    private(set) var requests: [URL] = []
    private var waiting: [URL: [CheckedContinuation<Data, any Error>]] = [:]

    func data(from url: URL, isFresh: Bool) async throws -> Data {
        requests.append(url)
        return try await withCheckedThrowingContinuation { waiting[url, default: []].append($0) }
    }

    func finish(_ url: URL, with data: Data?) {
        for continuation in waiting.removeValue(forKey: url) ?? [] {
            if let data { continuation.resume(returning: data) } else { continuation.resume(throwing: Missing()) }
        }
    }

    /// A file that says that it is a PNG image of that size.
    static func image(_ width: UInt8, _ height: UInt8) -> Data {
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
            + Data([0, 0, 0, width, 0, 0, 0, height, 8, 6])
    }
}

@MainActor
@Suite("A cell")
struct CellTests {
    private let images = ScriptedImages()
    private let loader: CardImageLoader
    private let first = URL(string: "https://images.example/1.png")
    private let second = URL(string: "https://images.example/2.png")

    init() {
        loader = CardImageLoader(fetcher: images, directory: nil)
    }

    private func settle(until holds: () async -> Bool) async -> Bool {
        let end = Date() + 60
        while await !holds() {
            if Date() > end { return false }
            await Task.yield()
        }
        return true
    }

    private func banner(_ image: URL?) -> ContentCard {
        .fixture("x") {
            $0.kind = .banner
            $0.image = image?.absoluteString
        }
    }

    private func cell() -> BannerContentCardCell {
        let cell = BannerContentCardCell(style: .default, reuseIdentifier: nil)
        cell.imageLoader = loader
        return cell
    }

    @Test("is of the class that a feed registers for it, and of a class of its own")
    func descriptors() {
        let all = CardCellIdentifier.allCases
        for identifier in all {
            let made = identifier.descriptor.makeCell()
            let isRegistered = type(of: made) == identifier.cellClass
            #expect(isRegistered, "\(identifier)")
            // A tap highlights no card, whether it does something or not.
            #expect(made.selectionStyle == .none, "\(identifier)")
        }
        let classes = Set(all.map { ObjectIdentifier($0.cellClass) })
        #expect(classes.count == all.count)
        let small = all.filter { $0.descriptor.imageSide != nil }
        #expect(small == [.classicImage])
    }

    @Test("has the documented lengths, fonts and colours")
    func constants() {
        // A screen of another test leaves its traits, with its size of text.
        UITraitCollection.current = UITraitCollection()
        let cell = ClassicContentCardCell(style: .default, reuseIdentifier: nil)
        cell.apply(.fixture("a"))
        #expect(cell.rootViewLeadingConstraint?.constant == 10)
        #expect(cell.rootViewTrailingConstraint?.constant == 10)
        #expect(cell.rootViewTopConstraint?.constant == 10)
        #expect(cell.rootViewLeadingConstraint?.priority.rawValue == 999)
        #expect(cell.cardWidthConstraint?.constant == 380)
        #expect(cell.rootView.layer.borderWidth == 0.5)
        #expect(cell.rootView.layer.cornerRadius == 3)
        #expect(cell.padding == 25)
        #expect(cell.titleLabel.font.pointSize == 16)
        #expect(cell.titleLabel.font.weight == .bold)
        #expect(cell.descriptionLabel.font.pointSize == 13)
        #expect(cell.linkLabel.font.weight == .medium)
        #expect([cell.titleLabel, cell.descriptionLabel].allSatisfy { $0.textColor == .label })
        #expect(cell.linkLabel.textColor == .link)
        #expect(cell.linkLabel.isHidden)
        #expect([cell.titleLabel, cell.descriptionLabel, cell.linkLabel].allSatisfy { $0.numberOfLines == 0 })
        #expect(cell.descriptionConstraints.allSatisfy { $0.isActive })
        #expect(!cell.linkConstraints.contains { $0.isActive })
        cell.apply(.fixture("a") { $0.domain = "shop.example" })
        #expect(!cell.linkLabel.isHidden)
        #expect(cell.linkConstraints.first?.constant == 8)
        #expect(cell.linkConstraints.allSatisfy { $0.isActive })
        #expect(!cell.descriptionConstraints.contains { $0.isActive })
    }

    @Test("keeps its insets even at both sides, whenever they are set")
    func insets() {
        let cell = ClassicContentCardCell(style: .default, reuseIdentifier: nil)
        cell.cardSidePadding = 30
        cell.cardSpacing = 32
        #expect(cell.rootViewLeadingConstraint?.constant == 30)
        #expect(cell.rootViewTrailingConstraint?.constant == 30)
        #expect(cell.rootViewTopConstraint?.constant == 16)
        #expect(cell.rootViewBottomConstraint?.constant == 16)
        cell.padding = 40
        #expect(cell.cardText.paddedConstraints.allSatisfy { $0.constant == 40 })
    }

    @Test("has a greater pin where its corners are rounder, so that they do not cut off what it shows")
    func pinSize() {
        #expect(ContentCardCell.pinSize(cornerRadius: 3) == 20)
        #expect(ContentCardCell.pinSize(cornerRadius: 6) == 20)
        #expect(ContentCardCell.pinSize(cornerRadius: 16) == 29)
    }

    @Test("is never lower than the small image beside its texts, with the room around them below it")
    func smallImage() {
        let cell = ClassicImageContentCardCell(style: .default, reuseIdentifier: nil)
        let below = cell.cardText.paddedConstraints.filter {
            $0.firstItem === cell.clippingView && $0.secondItem === cell.classicImageView
                && $0.firstAttribute == .bottom && $0.secondAttribute == .bottom
        }
        #expect(below.count == 1)
        #expect(below.first?.relation == .greaterThanOrEqual && below.first?.isActive == true)
        #expect(below.first?.constant == 25)
    }

    @Test("has a pin in front of the image, mirrored from right to left, and none where the card isn't pinned")
    func pin() {
        let cell = CaptionedImageContentCardCell(style: .default, reuseIdentifier: nil)
        cell.apply(.fixture("a") { $0.isPinned = true })
        #expect(!cell.pinImageView.isHidden)
        #expect(cell.pinImageView.image?.flipsForRightToLeftLayoutDirection == true)
        let order = cell.clippingView.subviews
        let (image, pin) = (order.firstIndex(of: cell.captionedImageView), order.firstIndex(of: cell.pinImageView))
        if let image, let pin { #expect(image < pin) } else { Issue.record("One of both is not in the card.") }
        cell.apply(.fixture("b"))
        #expect(cell.pinImageView.isHidden)
    }

    @Test("lies over its image with pin and bar, and follows the tint")
    func marks() {
        let cell = cell()
        cell.apply(.fixture("a") { $0.isPinned = true })
        let order = cell.clippingView.subviews.map(ObjectIdentifier.init)
        #expect(order.last == ObjectIdentifier(cell.unviewedLineView))
        #expect(order.dropLast().last == ObjectIdentifier(cell.pinImageView))
        #expect(!cell.pinImageView.isHidden)
        cell.tintColor = .green
        cell.tintColorDidChange()
        #expect(cell.unviewedLineView.backgroundColor == .green)
        cell.unviewedLineViewColor = .red
        #expect(cell.unviewedLineView.backgroundColor == .red)
    }

    @Test("is blank where a card that is an image alone has none", arguments: [nil, "", " \n"])
    func blank(image: String?) async {
        let cell = cell()
        let card = ContentCard.fixture("x") { ($0.kind, $0.image) = (.banner, image) }
        #expect(CardCellIdentifier(for: card) == .banner)
        cell.apply(card)
        let view = cell.bannerImageView
        #expect(view.state == .empty && view.image == nil && view.backgroundColor == nil)
        #expect(view.retryButton.isHidden && !view.indicator.isAnimating)
        #expect(await images.requests.isEmpty)
    }

    @Test("never shows the image of the card that it showed before")
    func reuse() async throws {
        let first = try #require(first)
        let second = try #require(second)
        let cell = cell()
        cell.apply(banner(first))
        #expect(await settle { await images.requests == [first] })
        cell.prepareForReuse()
        cell.apply(banner(second))
        #expect(await settle { await images.requests.count == 2 })
        await images.finish(first, with: ScriptedImages.image(30, 10))
        #expect(await settle { loader.cachedImage(for: first) != nil })
        #expect(cell.bannerImageView.image == nil)
        #expect(cell.bannerImageView.state == .loading)
        await images.finish(second, with: ScriptedImages.image(20, 10))
        #expect(await settle { cell.bannerImageView.image?.size.width == 20 })
    }

    @Test("asks once for an image that two cells show")
    func sharedLoad() async throws {
        let first = try #require(first)
        let cells = [cell(), cell()]
        for cell in cells { cell.apply(banner(first)) }
        #expect(await settle { await !images.requests.isEmpty })
        cells[0].prepareForReuse()
        await images.finish(first, with: ScriptedImages.image(30, 10))
        #expect(await settle { cells[1].bannerImageView.state == .shown })
        #expect(await images.requests.count == 1)
        #expect(cells[0].bannerImageView.image == nil)
    }

    @Test("takes the ratio of the image that came, tells the table once, and keeps the hint when none comes")
    func ratio() async throws {
        let first = try #require(first)
        let cell = cell()
        var changes = 0
        cell.onSizeChange = { _ in changes += 1 }
        var card = banner(first)
        card.imageAspectRatio = 2
        cell.apply(card)
        #expect(await settle { await !images.requests.isEmpty })
        await images.finish(first, with: nil)
        #expect(await settle { cell.bannerImageView.state == .failed })
        #expect(!cell.bannerImageView.retryButton.isHidden)
        #expect(cell.accessibilityCustomActions?.map(\.name) == [ContentCardsText.retry.text(languages: ["en"])])
        #expect(changes == 0)
        cell.bannerImageView.retryButton.sendActions(for: .touchUpInside)
        #expect(await settle { await images.requests.count == 2 })
        await images.finish(first, with: ScriptedImages.image(40, 10))
        #expect(await settle { cell.bannerImageView.state == .shown })
        #expect(changes == 1)
        #expect(cell.bannerImageView.retryButton.isHidden)
        #expect(cell.accessibilityCustomActions?.isEmpty == true)
    }

    @Test("keeps the ratio of an image that is there where the same card is shown again, as after it was seen")
    func ratioOfSameCard() async throws {
        let first = try #require(first)
        let cell = cell()
        var changes = 0
        cell.onSizeChange = { _ in changes += 1 }
        var card = banner(first)
        card.imageAspectRatio = 2
        cell.apply(card)
        #expect(await settle { await !images.requests.isEmpty })
        #expect(cell.imageRatioConstraint?.multiplier == 0.5)
        await images.finish(first, with: ScriptedImages.image(40, 10))
        #expect(await settle { cell.bannerImageView.state == .shown })
        card.isViewed = true
        cell.apply(card)
        #expect(cell.imageRatioConstraint?.multiplier == 0.25)
        #expect(changes == 1)
        card.image = second?.absoluteString
        cell.apply(card)
        #expect(cell.imageRatioConstraint?.multiplier == 0.5)
        cell.prepareForReuse()
        cell.apply(banner(nil))
        #expect(cell.imageRatioConstraint?.multiplier == 1)
    }

    @Test("has a failed image tried again by people who can't reach the button in it, and keeps pictures as they are")
    func retryAction() async throws {
        let first = try #require(first)
        let cell = cell()
        cell.apply(banner(first))
        #expect(cell.bannerImageView.accessibilityIgnoresInvertColors)
        #expect(await settle { await !images.requests.isEmpty })
        await images.finish(first, with: nil)
        #expect(await settle { cell.bannerImageView.state == .failed })
        let retry = try #require(cell.accessibilityCustomActions?.first)
        #expect(retry.actionHandler?(retry) == true)
        #expect(await settle { await images.requests.count == 2 })
        cell.prepareForReuse()
        #expect(cell.accessibilityCustomActions?.isEmpty == true)
    }

    @Test("offers to delete a card only where that is done")
    func deleteAction() {
        let cell = ClassicContentCardCell(style: .default, reuseIdentifier: nil)
        cell.apply(.fixture("a"))
        #expect(cell.accessibilityCustomActions?.isEmpty == true)
        cell.onDelete = { _ in }
        #expect(cell.accessibilityCustomActions?.map(\.name) == [ContentCardsText.delete.text(languages: ["en"])])
        cell.apply(.fixture("b") { $0.isDismissible = false })
        #expect(cell.accessibilityCustomActions?.isEmpty == true)
    }

    @Test("fetches an image with cache=false each time")
    func uncached() async throws {
        let url = try #require(URL(string: "https://images.example/1.png?cache=false"))
        for count in 1...2 {
            async let image = loader.image(for: url)
            #expect(await settle { await images.requests.count == count })
            await images.finish(url, with: ScriptedImages.image(1, 1))
            #expect(await image != nil)
        }
    }

    @Test("keeps images on disk for the next launch")
    func disk() async throws {
        let first = try #require(first)
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let loader = CardImageLoader(fetcher: images, directory: directory)
        async let image = loader.image(for: first)
        #expect(await settle { await !images.requests.isEmpty })
        await images.finish(first, with: ScriptedImages.image(7, 5))
        #expect(await image != nil)
        let next = CardImageLoader(fetcher: images, directory: directory)
        #expect(await next.image(for: first)?.size == CGSize(width: 7, height: 5))
        #expect(await images.requests.count == 1)
    }

    @Test("shows the image again at once when it is reused for the same card, so that nothing flashes")
    func reuseForTheSameCard() async throws {
        let first = try #require(first)
        let cell = cell()
        cell.apply(banner(first))
        #expect(await settle { await !images.requests.isEmpty })
        await images.finish(first, with: ScriptedImages.image(30, 10))
        #expect(await settle { cell.bannerImageView.state == .shown })
        var states: [CardImageView.State] = []
        cell.apply(banner(first))
        #expect(cell.bannerImageView.state == .shown)
        cell.prepareForReuse()
        cell.bannerImageView.onState = { states.append($0) }
        cell.apply(banner(first))
        #expect(states == [.shown])
        #expect(await images.requests.count == 1)
    }
}
