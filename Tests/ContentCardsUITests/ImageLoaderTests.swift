import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

/// Answers requests for images as a test says, and remembers them.
private final class ServedImages: ImageFetching {
    private struct Missing: Error {}

    let requests = Guarded<[ImageRequest]>([])
    let reply: Guarded<@Sendable (ImageRequest) -> ImageReply?>

    init(_ reply: @escaping @Sendable (ImageRequest) -> ImageReply?) {
        self.reply = Guarded(reply)
    }

    func fetch(_ request: ImageRequest) async throws -> ImageReply {
        requests.change { $0.append(request) }
        guard let reply = reply.value(request) else { throw Missing() }
        return reply
    }

    func data(from url: URL, isFresh: Bool) async throws -> Data { throw Missing() }
}

@MainActor
@Suite("The image loader")
struct ImageLoaderTests {
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private let clock = ManualClock()
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://images.example/1.png"))
    }

    private func loader(_ images: ServedImages) -> CardImageLoader {
        CardImageLoader(fetcher: images, directory: directory, clock: clock)
    }

    private func reply(_ width: UInt8, _ headers: [String: String] = [:]) -> ImageReply {
        .image(ScriptedImages.image(width, 10), ImageFreshness(headers: headers, at: clock.now))
    }

    private func change(_ images: ServedImages, _ reply: ImageReply?) {
        images.reply.change { $0 = { _ in reply } }
    }

    @Test("shows a copy for as long as its server allows, then asks whether it is still good")
    func freshness() async {
        defer { try? FileManager.default.removeItem(at: directory) }
        let images = ServedImages { _ in nil }
        change(images, reply(7, ["cache-control": "public, max-age=60", "etag": "\"v1\""]))
        #expect(await loader(images).image(for: url)?.size.width == 7)
        clock.advance(by: 59)
        #expect(await loader(images).image(for: url)?.size.width == 7)
        #expect(images.requests.value.count == 1)
        clock.advance(by: 2)
        change(images, .notModified(ImageFreshness(headers: ["cache-control": "max-age=60"], at: clock.now)))
        #expect(await loader(images).image(for: url)?.size.width == 7)
        #expect(images.requests.value.last?.copy?.conditions == ["If-None-Match": "\"v1\""])
        clock.advance(by: 59)
        #expect(await loader(images).image(for: url)?.size.width == 7)
        #expect(images.requests.value.count == 2)
        clock.advance(by: 2)
        change(images, reply(9))
        #expect(await loader(images).image(for: url)?.size.width == 9)
        #expect(images.requests.value.count == 3)
    }

    @Test("has nothing in memory or on the disk after all images were removed, and keeps new ones")
    func removal() async {
        defer { try? FileManager.default.removeItem(at: directory) }
        let images = ServedImages { _ in nil }
        change(images, reply(7, ["cache-control": "max-age=600"]))
        let loader = loader(images)
        _ = await loader.image(for: url)
        await loader.removeAllImages()
        #expect(loader.cachedImage(for: url) == nil)
        #expect(!FileManager.default.fileExists(atPath: directory.path))
        #expect(await loader.image(for: url)?.size.width == 7)
        #expect(images.requests.value.count == 2)
        #expect(FileManager.default.fileExists(atPath: directory.path))
    }

    @Test("keeps nothing of a load during which a client deleted all images, and forgets those in memory then")
    func removalByClient() async {
        defer { try? FileManager.default.removeItem(at: directory) }
        let removals = ImageRemovals.of(directory)
        let reply = reply(7, ["cache-control": "max-age=600"])
        let images = ServedImages { _ in
            removals.removeAll()
            return reply
        }
        let loader = loader(images)
        #expect(await loader.image(for: url)?.size.width == 7)
        #expect(loader.cachedImage(for: url) == nil)
        #expect(!FileManager.default.fileExists(atPath: directory.path))
        change(images, reply)
        #expect(await loader.image(for: url)?.size.width == 7)
        #expect(loader.cachedImage(for: url) != nil)
        #expect(FileManager.default.fileExists(atPath: directory.path))
        removals.removeAll()
        #expect(loader.cachedImage(for: url) == nil)
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test("shows an old copy where there is no network")
    func offline() async {
        defer { try? FileManager.default.removeItem(at: directory) }
        let images = ServedImages { _ in nil }
        change(images, reply(7, ["cache-control": "no-cache"]))
        #expect(await loader(images).image(for: url) != nil)
        change(images, nil)
        #expect(await loader(images).image(for: url)?.size.width == 7)
        #expect(images.requests.value.count == 2)
    }

    @Test("keeps on disk neither what must not be stored nor what is no image")
    func unkept() async {
        defer { try? FileManager.default.removeItem(at: directory) }
        let images = ServedImages { _ in nil }
        change(images, reply(7, ["cache-control": "no-store"]))
        #expect(await loader(images).image(for: url) != nil)
        change(images, .image(Data("<html>Sign in</html>".utf8), ImageFreshness(expires: clock.now + 1_000)))
        #expect(await loader(images).image(for: url) == nil)
        change(images, nil)
        #expect(await loader(images).image(for: url) == nil)
        #expect(images.requests.value.count == 3)
    }

    @Test("fetches an image for a card although it was refused ahead of time, as in Low Data Mode")
    func prefetchRefused() async {
        let reply = reply(7)
        let images = ServedImages { $0.isPrefetch ? nil : reply }
        let loader = CardImageLoader(fetcher: images, directory: nil)
        loader.prefetch(url)
        loader.prefetch(url)
        #expect(await loader.image(for: url) != nil)
        #expect(images.requests.value.map(\.isPrefetch) == [true, false])
    }

    @Test("asks once for an image that was fetched ahead of time, and for one in two widths")
    func shared() async throws {
        let images = ServedImages { _ in nil }
        change(images, reply(7))
        let loader = CardImageLoader(fetcher: images, directory: nil)
        loader.prefetch(url)
        #expect(await loader.image(for: url) != nil)
        #expect(images.requests.value.map(\.isPrefetch) == [true])
        let other = try #require(URL(string: "https://images.example/2.png"))
        async let small = loader.image(for: other, width: 100)
        async let large = loader.image(for: other, width: 1_000)
        #expect(await (small != nil, large != nil) == (true, true))
        #expect(images.requests.value.filter { $0.url == other }.count == 1)
        #expect(loader.cachedImage(for: other, width: 120) != nil)
        // A wider one will do; a narrower one won't.
        #expect(loader.cachedImage(for: other, width: 400) != nil)
        #expect(loader.cachedImage(for: other, width: 2_000) == nil)
    }

    @Test("fetches ahead of time in the width of the card, and nothing for cards that are not shown")
    func prefetchOfFeed() async throws {
        let images = ServedImages { _ in nil }
        change(images, reply(7))
        let loader = CardImageLoader(fetcher: images, directory: nil)
        let addresses = (0..<3).map { "https://images.example/\($0).png" }
        let harness = try await FeedHarness(
            [ContentCard.Kind.classic, .banner, .control].enumerated().map { index, kind in
                .fixture("\(index)") {
                    $0.kind = kind
                    $0.image = addresses[index]
                }
            }
        )
        let feed = harness.makeFeed()
        feed.imageLoader = loader
        feed.displayedCards = harness.source.feed.cards.sorted { $0.id < $1.id }
        feed.tableView(UITableView(), prefetchRowsAt: (0..<4).map { IndexPath(row: $0, section: 0) })
        let urls = try addresses.map { try #require(URL(string: $0)) }
        #expect(await harness.settle { loader.cachedImage(for: urls[0], width: 115) != nil })
        #expect(await harness.settle { loader.cachedImage(for: urls[1], width: 760) != nil })
        #expect(images.requests.value.allSatisfy { $0.isPrefetch })
        #expect(Set(images.requests.value.map(\.url)) == Set(urls.prefix(2)))
    }

    @Test("counts images in memory by what they take when they are drawn, and keeps none that alone is too much")
    func memory() throws {
        let keys = try (0..<3).map {
            ImageKey(try #require(URL(string: "https://images.example/\($0).png")), width: 100)
        }
        let small = try #require(UIImage(data: ScriptedImages.image(10, 10)))
        #expect(ImageMemory.size(of: small) == 400)
        let fine = try #require(UIImage(data: ScriptedImages.image(10, 10), scale: 2))
        #expect(ImageMemory.size(of: fine) == 400)
        var memory = ImageMemory(limit: 800)
        for key in keys { memory.keep(small, for: key) }
        #expect(keys.map { memory.image(for: $0) != nil } == [false, true, true])
        memory.keep(try #require(UIImage(data: ScriptedImages.image(200, 200))), for: keys[0])
        #expect(keys.map { memory.image(for: $0) != nil } == [false, true, true])
        memory.forgetAll()
        #expect(keys.allSatisfy { memory.image(for: $0) == nil })
    }
}
