import Logging
import NIOHTTP1

/// A request of a webhook.
struct WebhookRequest: Sendable {
    let url: String
    let body: [UInt8]
    let headers: [String: String]
}

/// The result of a request of a webhook.
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

/// Sends by the client that checks addresses, without following redirects: what is signed is for the receiver that was
/// named.
struct OutboundWebhookSender: WebhookSending {
    /// The time that a receiver has by default, in seconds.
    static let standardTimeout = 15.0

    let client: OutboundClient
    var timeout = standardTimeout
    let logger: Logger

    func send(_ request: WebhookRequest) async -> WebhookAnswer {
        guard let url = OutboundURL(request.url) else { return unreachable("The URL cannot be used") }
        var post = OutboundRequest(url: url, method: .POST, headers: request.headers, body: request.body)
        post.wantsBody = false
        do {
            let response = try await client.send(post, timeout: timeout, bodyLimit: 0)
            if (200..<300).contains(response.status) { return .taken }
            return .failed("HTTP \(response.status)", retryAfter: response.retryAfter)
        } catch {
            return unreachable("\(error)")
        }
    }

    /// The one reason for all that keeps a receiver from being reached.
    ///
    /// Otherwise whoever names receivers could learn which ports are open behind the server. The cause is in the log.
    private func unreachable(_ detail: String) -> WebhookAnswer {
        logger.warning("The webhook's receiver could not be reached", metadata: ["error": "\(detail)"])
        return .failed("The receiver could not be reached", retryAfter: nil)
    }
}
