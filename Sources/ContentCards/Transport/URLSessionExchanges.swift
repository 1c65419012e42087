import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Turns the callbacks of a session into answers whose bodies are streams.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
    struct ExchangeAnswer: Sendable {
        var status: Int
        var headers: [String: String]
        var bytes: AsyncThrowingStream<Data, any Error>
    }

    private enum Exchange {
        case waiting(CheckedContinuation<ExchangeAnswer, any Error>, limit: Int?)
        /// The body, and how many bytes of it may still come.
        case streaming(AsyncThrowingStream<Data, any Error>.Continuation, rest: Int?)
    }

    private let exchanges = Locked<[Int: Exchange]>([:])
    private let followsRedirects: Bool

    init(followsRedirects: Bool) {
        self.followsRedirects = followsRedirects
    }

    func begin(_ task: URLSessionTask, limit: Int?, _ continuation: CheckedContinuation<ExchangeAnswer, any Error>) {
        exchanges.withLock { $0[task.taskIdentifier] = .waiting(continuation, limit: limit) }
    }

    /// Cancels a task on the queue of the delegate's calls, between two of them, and ends its exchange.
    ///
    /// Foundation on Linux ends the process where a task is cancelled while its end is on the way to the delegate: the
    /// task is no longer known when the cancellation is carried out. In order with the delegate's calls, a task either
    /// has ended, and nothing is done, or is known for long enough. A task that is cancelled as it starts may never
    /// tell its delegate of an end, so nobody waits for that.
    func cancel(_ task: URLSessionTask, of session: URLSession) {
        session.delegateQueue.addOperation { [self] in
            task.cancel()
            end(task, .cancelled)
        }
    }

    private func end(_ task: URLSessionTask, _ failure: TransportError?) {
        switch exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) {
        case .waiting(let continuation, _): continuation.resume(throwing: failure ?? .unreachable("no answer"))
        case .streaming(let body, _): body.finish(throwing: failure)
        case nil: break
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if isTooLarge(response, for: dataTask) {
            end(dataTask, .tooLarge)
            return completionHandler(.cancel)
        }
        let (bytes, body) = AsyncThrowingStream.makeStream(of: Data.self, throwing: (any Error).self)
        let waiting = exchanges.withLock { exchanges in
            let waiting = exchanges[dataTask.taskIdentifier]
            if case .waiting(_, let limit) = waiting {
                exchanges[dataTask.taskIdentifier] = .streaming(body, rest: limit)
            }
            return waiting
        }
        // It was cancelled, and its exchange is over.
        guard case .waiting(let continuation, _) = waiting else { return completionHandler(.cancel) }
        body.onTermination = { [weak self] _ in self?.cancel(dataTask, of: session) }
        continuation.resume(returning: ExchangeAnswer(response, bytes))
        completionHandler(.allow)
    }

    /// Returns whether an answer announces more bytes than its request allows.
    private func isTooLarge(_ response: URLResponse, for task: URLSessionTask) -> Bool {
        guard case .waiting(_, let limit?) = exchanges.withLock({ $0[task.taskIdentifier] }) else { return false }
        return Int(exactly: response.expectedContentLength) ?? .max > limit
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let exchange = exchanges.withLock { exchanges -> Exchange? in
            let exchange = exchanges[dataTask.taskIdentifier]
            guard case .streaming(let body, let rest?) = exchange else { return exchange }
            // safe: both are sizes of what is in memory
            let left = rest - data.count
            let next = Exchange.streaming(body, rest: left)
            exchanges[dataTask.taskIdentifier] = left < 0 ? nil : next
            return next
        }
        guard case .streaming(let body, let rest) = exchange else { return }
        if let rest, rest < 0 {
            // That ends the task, too.
            body.finish(throwing: TransportError.tooLarge)
        } else {
            body.yield(data)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(task, error.map(TransportError.init))
    }

    // A redirect would carry the key to another host: the answer is returned as it is, unless there is no key.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isWeb = ["http", "https"].contains(request.url?.scheme?.lowercased() ?? "")
        completionHandler(followsRedirects && isWeb ? request : nil)
    }
}

extension URLSessionExchanges.ExchangeAnswer {
    fileprivate init(_ response: URLResponse, _ bytes: AsyncThrowingStream<Data, any Error>) {
        let response = response as? HTTPURLResponse
        status = response?.statusCode ?? 0
        headers = [:]
        for (name, value) in response?.allHeaderFields ?? [:] {
            headers[String(describing: name).lowercased()] = String(describing: value)
        }
        self.bytes = bytes
    }
}

extension TransportError {
    /// Says that an answer has more bytes than its request allows.
    fileprivate static let tooLarge = TransportError.unreachable("the answer is too large")

    fileprivate init(_ error: any Error) {
        switch (error as? URLError)?.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .networkConnectionLost: self = .connectionLost("the connection was lost")
        // Foundation on Linux calls an answer without a byte so.
        case .badServerResponse: self = .connectionLost("no answer")
        default: self = .unreachable(String(describing: (error as? URLError)?.code ?? .unknown))
        }
    }
}
