#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Loads images, each address once however many cards wait for it, and keeps them in memory and on disk.
///
/// Images are decoded away from the main actor, no wider than they are shown. A copy on disk is shown for as long as
/// its server allows, or a week; after that the server is asked whether it is still good, and where that can't be, it
/// is shown all the same.
@preconcurrency @MainActor
public final class CardImageLoader {
    /// The loader of cells that are given none.
    public static var shared = CardImageLoader(
        fetcher: URLSessionImages(),
        directory: ImageCacheDirectory.standard
    )

    /// The width of a card on a phone, in pixels: 380 points of three pixels each.
    public nonisolated static let usualWidth = 1140

    /// The bytes of an image, and what is to be done with them.
    private struct File: Sendable {
        var data: Data
        var freshness: ImageFreshness
        /// Whether memory and disk may keep it.
        var isKept = true
        /// Whether the disk does not have it yet, or not with this freshness.
        var isNew = true
    }

    private let fetcher: any ImageFetching
    private let disk: ImageDisk?
    private let clock: any ContentCardsClock
    private let removals: ImageRemovals
    /// The removals after which the images in memory were loaded.
    private var knownRemovals: Int
    private var observation: ImageRemovals.Observation?
    private var memory: ImageMemory
    private var loads: [ImageKey: Task<UIImage?, Never>] = [:]
    private var prefetches: [ImageKey: Task<UIImage?, Never>] = [:]
    private var files: [ImageRequest: Task<File?, Never>] = [:]

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - fetcher: fetches the bytes.
    ///   - directory: where images are kept; `nil` keeps them in memory alone.
    ///   - memoryLimit: how many bytes images may take in memory as they are drawn, four for each pixel; 64 MB by
    ///     default.
    ///   - clock: tells the time; only tests need another.
    public init(
        fetcher: any ImageFetching,
        directory: URL?,
        memoryLimit: Int = 64_000_000,
        clock: any ContentCardsClock = SystemClock()
    ) {
        self.fetcher = fetcher
        self.clock = clock
        disk = directory.map(ImageDisk.init)
        removals = disk?.removals ?? ImageRemovals()
        knownRemovals = removals.count
        memory = ImageMemory(limit: memoryLimit)
        observation = removals.observe { [weak self] in
            guard let self else { return }
            Task { @MainActor in self.forgetRemovedImages() }
        }
        #if canImport(UIKit) && canImport(ObjectiveC)
        let warning = UIApplication.didReceiveMemoryWarningNotification
        let token = NotificationCenter.default.addObserver(forName: warning, object: nil, queue: .main) {
            [weak self] _ in
            MainActor.assumeIsolated { self?.forgetImagesInMemory() }
        }
        memoryWarnings.withLock { $0 = token }
        #endif
    }

    #if canImport(UIKit) && canImport(ObjectiveC)
    private let memoryWarnings = Locked<(any NSObjectProtocol)?>(nil)

    deinit {
        memoryWarnings.withLock { token in
            if let token { NotificationCenter.default.removeObserver(token) }
        }
    }
    #endif

    /// Frees the memory that images take, as when the system is short of it; those on screen stay.
    public func forgetImagesInMemory() {
        memory.forgetAll()
    }

    /// Deletes all images, in memory and on disk; those on screen stay.
    ///
    /// `ContentCardsClient.wipe()` and `disable()` do so with those of ``shared``; a loader with a directory of the
    /// app's own is emptied by this. What is being loaded is shown, and not kept.
    public func removeAllImages() async {
        memory.forgetAll()
        if let disk { await disk.removeAll() } else { removals.removeAll() }
    }

    /// Forgets the images in memory if all were deleted since they were loaded, be it by a client.
    private func forgetRemovedImages() {
        let count = removals.count
        guard count != knownRemovals else { return }
        knownRemovals = count
        memory.forgetAll()
    }

    /// Returns how many pixels a length in points has; one that can't be meant counts as the usual width.
    nonisolated static func pixels(_ points: CGFloat, scale: CGFloat) -> Int {
        Int(exactly: (points * max(scale, 1)).rounded(.up)).flatMap { $0 > 0 ? $0 : nil } ?? usualWidth
    }

    /// Returns an image that is in memory.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - width: how wide it is shown, in pixels; `nil`, the default, takes the widest that there is.
    /// - Returns: the image, at least as wide as that unless its file is smaller.
    public func cachedImage(for url: URL, width: Int? = nil) -> UIImage? {
        forgetRemovedImages()
        guard let width else { return memory.widestImage(for: url) }
        return memory.image(for: ImageKey(url, width: width))
    }

    /// Returns the image at an address, or none when it cannot be had.
    ///
    /// All that wait for one address share one load, which goes on when one of them no longer waits.
    /// - Parameters:
    ///   - url: the address.
    ///   - width: how wide it is shown, in pixels; by default as wide as a card is on a phone.
    /// - Returns: the image, decoded and no wider than needed.
    public func image(for url: URL, width: Int = CardImageLoader.usualWidth) async -> UIImage? {
        forgetRemovedImages()
        let key = ImageKey(url, width: width)
        if let image = memory.image(for: key) { return image }
        if let load = loads[key] { return await load.value }
        let load = Task { [ahead = prefetches[key]] in
            defer { loads[key] = nil }
            // One that was begun ahead of time may have been refused for that alone.
            if let image = await ahead?.value { return image as UIImage? }
            return await decoded(key, isPrefetch: false)
        }
        loads[key] = load
        return await load.value
    }

    /// Begins to load an image, unless it is in memory or has to be fetched each time.
    ///
    /// In Low Data Mode nothing is fetched.
    /// - Parameters:
    ///   - url: the address.
    ///   - width: how wide it will be shown, in pixels; by default as wide as a card is on a phone.
    public func prefetch(_ url: URL, width: Int = CardImageLoader.usualWidth) {
        forgetRemovedImages()
        let key = ImageKey(url, width: width)
        guard memory.image(for: key) == nil, loads[key] == nil, prefetches[key] == nil, !Self.bypassesCache(url) else {
            return
        }
        prefetches[key] = Task {
            defer { prefetches[key] = nil }
            return await decoded(key, isPrefetch: true)
        }
    }

    private func decoded(_ key: ImageKey, isPrefetch: Bool) async -> UIImage? {
        let count = removals.count
        guard let file = await file(key.url, isPrefetch: isPrefetch) else { return nil }
        await DecodingSlots.shared.enter(isPrefetch: isPrefetch)
        let decoded = await ImageDecoder.image(from: file.data, width: key.width)
        DecodingSlots.shared.leave()
        guard let image = decoded else {
            // What is no image is fetched again the next time.
            await disk?.remove(key.url)
            return nil
        }
        forgetRemovedImages()
        guard file.isKept, knownRemovals == count else { return image }
        memory.keep(image, for: key)
        if file.isNew, file.freshness.isStorable {
            await disk?.write(file.data, file.freshness, for: key.url, unlessRemovedSince: count)
        }
        return image
    }

    private func file(_ url: URL, isPrefetch: Bool) async -> File? {
        var request = ImageRequest(url)
        request.isFresh = Self.bypassesCache(url)
        request.isPrefetch = isPrefetch
        if let file = files[request] { return await file.value }
        let file = Task { [key = request] in
            defer { files[key] = nil }
            return await read(key)
        }
        files[request] = file
        return await file.value
    }

    /// Reads an image from the disk, or fetches it where that copy is no longer good.
    private func read(_ request: ImageRequest) async -> File? {
        let copy = request.isFresh ? nil : await disk?.read(request.url)
        let kept = copy.map { File(data: $0.data, freshness: $0.freshness, isNew: false) }
        if let kept, kept.freshness.isGood(at: clock.now) { return kept }
        var request = request
        request.copy = kept?.freshness
        // Without a network, an old image is better than none.
        guard let reply = try? await fetcher.fetch(request) else { return kept }
        switch reply {
        case .image(let data, let freshness): return File(data: data, freshness: freshness, isKept: !request.isFresh)
        case .notModified(let freshness): return kept.map { File(data: $0.data, freshness: freshness) }
        }
    }

    /// An address with `cache=false` is fetched each time.
    static func bypassesCache(_ url: URL) -> Bool {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?
            .contains { $0.name == "cache" && $0.value == "false" } ?? false
    }
}
#endif
