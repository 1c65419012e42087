import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries requests with `URLSession`, the same way on all platforms: by a delegate, since Foundation on Linux has no
/// other way to see a body while it arrives.
public final class URLSessionTransport: Transport {
    private let exchanges: URLSessionExchanges
    private let session: URLSession

    /// Creates a transport with its own connections.
    ///
    /// They are closed when the last reference goes.
    public init() {
        exchanges = URLSessionExchanges()
        session = URLSession(configuration: .placard, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Sends a request and returns the whole answer.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let answer = try await start(request)
        var body = Data()
        for try await piece in answer.bytes { body.append(piece) }
        try Task.checkCancellation()
        return TransportResponse(status: answer.status, headers: answer.headers, body: body)
    }

    /// Sends a request and returns when the head of the answer is there.
    public func open(_ request: TransportRequest) async throws -> TransportStream {
        let answer = try await start(request)
        return TransportStream(status: answer.status, bytes: answer.bytes)
    }

    private func start(_ request: TransportRequest) async throws -> URLSessionExchanges.Answer {
        let task = session.dataTask(with: URLRequest(request))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task, continuation)
                task.resume()
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            task.cancel()
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
    fileprivate init(_ request: TransportRequest) {
        self.init(url: request.url, timeoutInterval: request.timeout)
        httpMethod = request.method
        httpBody = request.body
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }
}
