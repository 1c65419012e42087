#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Fetches the bytes of images.
public protocol ImageFetching: Sendable {
    /// Returns the bytes at an address. `isFresh` asks to go past every cache.
    func data(from url: URL, isFresh: Bool) async throws -> Data
}

/// Fetches images over HTTP.
public struct URLSessionImages: ImageFetching {
    private struct Refused: Error {}

    /// Creates a fetcher.
    public init() {}

    /// Returns the bytes at an http or https address, up to 20 MB, or those that a `data:` address holds itself.
    public func data(from url: URL, isFresh: Bool) async throws -> Data {
        if let data = Self.bytes(within: url) { return data }
        guard CardDestination.isWeb(url) else { throw Refused() }
        var request = URLRequest(url: url, timeoutInterval: 30)
        if isFresh { request.cachePolicy = .reloadIgnoringLocalCacheData }
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let http = response as? HTTPURLResponse, (200..<300).contains(http.statusCode), data.count < 20_000_000
        else { throw Refused() }
        return data
    }

    /// The bytes of an address such as `data:image/png;base64,…`; only images, and only in Base64.
    static func bytes(within url: URL) -> Data? {
        let text = url.absoluteString
        guard text.prefix(11).lowercased() == "data:image/", let comma = text.firstIndex(of: ","),
            text[..<comma].lowercased().hasSuffix(";base64")
        else { return nil }
        return Data(base64Encoded: text[text.index(after: comma)...].removingPercentEncoding ?? "")
    }
}

/// Loads images, each address once however many cards wait for it, and keeps them in memory and on disk.
@MainActor
public final class CardImageLoader {
    /// The loader of cells that are given none.
    public static var shared = CardImageLoader(
        fetcher: URLSessionImages(),
        directory: CardImageLoader.standardDirectory
    )

    private let fetcher: any ImageFetching
    private let disk: ImageDisk?
    private var memory: ImageMemory
    private var loads: [URL: Task<UIImage?, Never>] = [:]

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - fetcher: fetches the bytes.
    ///   - directory: where images are kept; `nil` keeps them in memory alone.
    ///   - memoryLimit: how many bytes images may take in memory as they are drawn, four for each pixel; 64 MB by default.
    public init(fetcher: any ImageFetching, directory: URL?, memoryLimit: Int = 64_000_000) {
        self.fetcher = fetcher
        disk = directory.map(ImageDisk.init)
        memory = ImageMemory(limit: memoryLimit)
        #if canImport(UIKit)
        let warning = UIApplication.didReceiveMemoryWarningNotification
        let token = NotificationCenter.default.addObserver(forName: warning, object: nil, queue: .main) {
            [weak self] _ in
            MainActor.assumeIsolated { self?.forgetImagesInMemory() }
        }
        memoryWarnings.withLock { $0 = token }
        #endif
    }

    #if canImport(UIKit)
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

    private static var standardDirectory: URL? {
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appendingPathComponent("ContentCardsImages")
    }

    /// Returns an image that is in memory.
    public func cachedImage(for url: URL) -> UIImage? { memory.image(for: url) }

    /// Returns the image at an address, or none when it cannot be had.
    ///
    /// All that wait for one address share one load, which goes on when one of them no longer waits.
    public func image(for url: URL) async -> UIImage? {
        if let image = memory.image(for: url) { return image }
        if let load = loads[url] { return await load.value }
        let load = Task { await fetch(url) }
        loads[url] = load
        let image = await load.value
        loads[url] = nil
        return image
    }

    /// Begins to load an image, unless it is in memory or always has to be fetched anew.
    public func prefetch(_ url: URL) {
        guard memory.image(for: url) == nil, loads[url] == nil, !Self.bypassesCache(url) else { return }
        Task { _ = await image(for: url) }
    }

    private func fetch(_ url: URL) async -> UIImage? {
        let isFresh = Self.bypassesCache(url)
        if !isFresh, let data = await disk?.read(url), let image = await ImageDecoder.image(from: data) {
            memory.keep(image, for: url)
            return image
        }
        guard let data = try? await fetcher.data(from: url, isFresh: isFresh),
            let image = await ImageDecoder.image(from: data)
        else { return nil }
        guard !isFresh else { return image }
        memory.keep(image, for: url)
        await disk?.write(data, for: url)
        return image
    }

    /// An address with `cache=false` is fetched each time.
    static func bypassesCache(_ url: URL) -> Bool {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?
            .contains { $0.name == "cache" && $0.value == "false" } ?? false
    }
}
#endif
