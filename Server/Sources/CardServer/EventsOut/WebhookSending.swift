import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request of a webhook.
struct WebhookRequest: Sendable {
    let url: String
    let body: [UInt8]
    let headers: [String: String]
}

/// What became of a request of a webhook.
enum WebhookAnswer: Sendable, Hashable {
    /// The receiver has taken it.
    case taken
    /// The receiver has not, or could not be reached; it may ask for a pause in seconds.
    case failed(String, retryAfter: Double?)
}

/// Sends the requests of a webhook.
protocol WebhookSending: Sendable {
    /// Sends a request and waits for the answer, which always comes.
    func send(_ request: WebhookRequest) async -> WebhookAnswer
}

/// Sends by URLSession, without following redirects: what is signed is for the receiver that was named.
final class URLSessionWebhookSender: WebhookSending {
    private static let timeout = 15.0

    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.timeout
        configuration.timeoutIntervalForResource = Self.timeout
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    func send(_ request: WebhookRequest) async -> WebhookAnswer {
        guard let url = URL(string: request.url) else { return .failed("The URL cannot be used", retryAfter: nil) }
        var post = URLRequest(url: url)
        post.httpMethod = "POST"
        post.httpBody = Data(request.body)
        for (name, value) in request.headers { post.setValue(value, forHTTPHeaderField: name) }
        do {
            let (_, response) = try await session.data(for: post)
            guard let response = response as? HTTPURLResponse else { return .failed("No HTTP", retryAfter: nil) }
            if (200..<300).contains(response.statusCode) { return .taken }
            let pause = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
            return .failed("HTTP \(response.statusCode)", retryAfter: pause)
        } catch {
            return .failed((error as? URLError).map { "URL error \($0.errorCode)" } ?? "\(error)", retryAfter: nil)
        }
    }
}

/// Takes a redirect for the answer.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
