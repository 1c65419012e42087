#if !os(tvOS)
import ContentCards
import Foundation

/// Fetches the bytes of images.
///
/// An implementer writes ``data(from:isFresh:)``, and ``fetch(_:)`` too where it obeys the headers of caches.
public protocol ImageFetching: Sendable {
    /// Returns the bytes at an address. `isFresh` asks to go past every cache.
    func data(from url: URL, isFresh: Bool) async throws -> Data

    /// Returns an image, or that the copy which is kept is still good.
    ///
    /// The default calls ``data(from:isFresh:)``, and what that returns is good for a week.
    func fetch(_ request: ImageRequest) async throws -> ImageReply
}

extension ImageFetching {
    /// Returns the bytes, which are good for a week.
    public func fetch(_ request: ImageRequest) async throws -> ImageReply {
        let data = try await data(from: request.url, isFresh: request.isFresh)
        return .image(data, ImageFreshness(expires: Date() + ImageFreshness.usual))
    }
}

/// Says which image is asked for, and why.
public struct ImageRequest: Sendable, Hashable {
    /// The address.
    public var url: URL
    /// Whether every cache is to be passed by.
    public var isFresh = false
    /// Whether the image is not needed yet, so that it isn't fetched where the user saves data.
    public var isPrefetch = false
    /// The freshness of the copy that is kept, if any.
    public var copy: ImageFreshness?

    /// Creates a request for an image that is needed now, and of which no copy is kept.
    public init(_ url: URL) {
        self.url = url
    }
}

/// Answers a request for an image.
public enum ImageReply: Sendable, Equatable {
    /// The bytes, and for how long they are good.
    case image(Data, ImageFreshness)
    /// The copy that is kept is still good, for so long.
    case notModified(ImageFreshness)
}

/// Fetches images over HTTP.
///
/// An answer of more than 20 MB is not read to its end. In Low Data Mode, only images that are shown are fetched, none
/// ahead of time.
public struct URLSessionImages: ImageFetching {
    private struct RefusedError: Error {}

    /// The most bytes of an image file.
    static let limit = 20_000_000

    private static let requests = BoundedRequests()

    /// Creates a fetcher.
    public init() {}

    /// Returns the bytes at an http or https address, or those that a `data:` address holds itself.
    public func data(from url: URL, isFresh: Bool) async throws -> Data {
        var request = ImageRequest(url)
        request.isFresh = isFresh
        guard case .image(let data, _) = try await fetch(request) else { throw RefusedError() }
        return data
    }

    /// Returns the image at an http or https address, or the one that a `data:` address holds itself.
    public func fetch(_ request: ImageRequest) async throws -> ImageReply {
        let now = Date()
        if let data = Self.bytes(within: request.url) {
            // It is in the card already.
            var freshness = ImageFreshness(expires: now + ImageFreshness.longest)
            freshness.isStorable = false
            return .image(data, freshness)
        }
        guard CardDestination.isWeb(request.url) else { throw RefusedError() }
        var headers = request.copy?.conditions ?? [:]
        headers["Accept"] = "image/*"
        if request.isFresh { headers["Cache-Control"] = "no-cache" }
        let answer = try await Self.requests.send(
            TransportRequest(method: "GET", url: request.url, headers: headers, timeout: 30),
            limit: Self.limit,
            isEssential: !request.isPrefetch
        )
        let freshness = ImageFreshness(headers: answer.headers, at: now)
        if answer.status == 304, let copy = request.copy { return .notModified(copy.renewed(by: freshness)) }
        guard (200..<300).contains(answer.status) else { throw RefusedError() }
        return .image(answer.body, freshness)
    }

    /// The bytes of an address such as `data:image/png;base64,…`; only images, and only in Base64.
    static func bytes(within url: URL) -> Data? {
        let text = url.absoluteString
        guard text.prefix(11).lowercased() == "data:image/", let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")),
            // safe: an element of the text
            text[..<comma].lowercased().hasSuffix(";base64")
        else { return nil }
        return Data(base64Encoded: text[text.utf8.index(after: comma)...].removingPercentEncoding ?? "")
    }
}
#endif
