import Liquid
import Logging
import NIOHTTP1

/// Asks hosts for what templates want.
protocol ContentFetching: Sendable {
    /// Asks once and waits for the answer, which always comes.
    func fetch(_ fetch: ContentFetch) async -> ContentAnswer
}

/// Asks by the client that checks addresses: at most 64 KiB, and within a timeout.
struct OutboundContentFetcher: ContentFetching {
    private static let sizeLimit = 64 << 10

    let client: OutboundClient
    /// The time for an answer, in seconds.
    let timeout: Double
    let logger: Logger

    func fetch(_ fetch: ContentFetch) async -> ContentAnswer {
        var request = OutboundRequest(url: fetch.url)
        request.headers = Dictionary(fetch.headers.map { ($0.key, $0.value) }) { _, last in last }
        if fetch.method == "POST" {
            request.method = .POST
            request.body = Array(fetch.body.utf8)
        }
        do {
            return answer(try await client.send(request, timeout: timeout, bodyLimit: Self.sizeLimit))
        } catch OutboundError.tooLarge {
            return .failure("The answer has more than \(Self.sizeLimit) bytes.")
        } catch {
            // The cause is for the operator: whoever writes a template isn't to learn what there is behind the server.
            logger.info("A host has no connected content", metadata: ["host": "\(fetch.host)", "error": "\(error)"])
            return .failure("The host could not be reached.")
        }
    }

    private func answer(_ response: OutboundResponse) -> ContentAnswer {
        guard response.status < 500, response.status != 429 else {
            return .failure("The host answered with the status \(response.status).")
        }
        guard let body = String(validating: response.body, as: UTF8.self) else {
            return .failure("The answer is not UTF-8.")
        }
        return .response(ConnectedContentResponse(status: response.status, body: body))
    }
}
