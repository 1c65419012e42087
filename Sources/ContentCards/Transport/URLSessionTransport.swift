import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries requests with `URLSession`, the same way on all platforms: by a delegate, since Foundation on Linux has no
/// other way to see a body while it arrives.
public final class URLSessionTransport: Transport {
    /// The most bytes of an answer that is read as a whole: 16 MB, some ten times the largest feed.
    static let bodyLimit = 16 * 1024 * 1024

    private let requests = URLSessionConnections()
    /// A stream has connections of its own, so that it finds the one that was made for it.
    private let streams = URLSessionConnections()

    /// Creates a transport with its own connections.
    ///
    /// They are closed when the last reference goes.
    public init() {}

    /// Sends a request and returns the whole answer.
    ///
    /// One of more than 16 MB counts as none: it is not read to its end.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await requests.send(request, limit: Self.bodyLimit)
    }

    /// Sends a request and returns when the head of the answer is there.
    public func open(_ request: TransportRequest) async throws -> TransportStream {
        try await streams.prepareStream(for: request)
        let answer = try await streams.start(request)
        return TransportStream(status: answer.status, headers: answer.headers, bytes: answer.bytes)
    }
}

/// Fetches what is no request to the server, such as images: follows redirects, and reads answers up to a limit.
package struct BoundedRequests: Sendable {
    private let connections = URLSessionConnections(followsRedirects: true)

    /// Creates a transport that makes requests on connections of their own, without cookies and without a cache.
    package init() {}

    /// Sends a request and returns the whole answer; one of more bytes than the limit counts as none.
    ///
    /// What is not essential fails in Low Data Mode.
    package func send(
        _ request: TransportRequest,
        limit: Int,
        isEssential: Bool = true
    ) async throws -> TransportResponse {
        try await connections.send(request, limit: limit, isEssential: isEssential)
    }
}

/// A session and the exchanges on it.
final class URLSessionConnections: Sendable {
    private let exchanges: URLSessionExchanges
    private let session: URLSession

    init(followsRedirects: Bool = false) {
        exchanges = URLSessionExchanges(followsRedirects: followsRedirects)
        session = URLSession(configuration: .placard, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        let session = session
        session.delegateQueue.addOperation { session.invalidateAndCancel() }
    }

    /// Sends a request and returns the whole answer, unless that has more bytes than the limit.
    func send(_ request: TransportRequest, limit: Int, isEssential: Bool = true) async throws -> TransportResponse {
        let answer = try await start(request, limit: limit, isEssential: isEssential)
        var body = Data()
        for try await piece in answer.bytes { body.append(piece) }
        try Task.checkCancellation()
        return TransportResponse(status: answer.status, headers: answer.headers, body: body)
    }

    /// Starts a request and returns the head of its answer; the body fails beyond the limit, in bytes.
    func start(
        _ request: TransportRequest,
        limit: Int? = nil,
        isEssential: Bool = true
    ) async throws -> URLSessionExchanges.ExchangeAnswer {
        let task = session.dataTask(with: URLRequest(request, isEssential: isEssential))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task, limit: limit, continuation)
                task.resume()
                if Task.isCancelled { exchanges.cancel(task, of: session) }
            }
        } onCancel: {
            exchanges.cancel(task, of: session)
        }
    }
}

extension URLSessionConfiguration {
    fileprivate static var placard: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }
}

extension URLRequest {
    fileprivate init(_ request: TransportRequest, isEssential: Bool) {
        self.init(url: request.url, timeoutInterval: request.timeout)
        #if !canImport(FoundationNetworking)
        allowsConstrainedNetworkAccess = isEssential
        #endif
        httpMethod = request.method
        httpBody = request.body
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }
}
