import NIOSSL
import WireJSON

/// The answer of a collector to spans.
enum SpanAnswer: Sendable, Equatable {
    /// It has taken them, but for that many.
    case taken(rejected: Int)
    /// It will never take them.
    case refused(String)
    /// It can't take them now; it may ask for a pause in seconds.
    case unavailable(String, retryAfter: Double?)
}

/// Sends spans to a collector.
protocol SpanSending: Sendable {
    /// Sends a body once and waits for the answer, which always comes.
    func send(_ body: [UInt8], timeout: Double) async -> SpanAnswer
}

/// Sends by the client that checks certificates and follows no redirects.
///
/// The collector is an operator's setting, so it may be one of a private network.
struct CollectorClient: SpanSending {
    private static let answerBytes = 64 << 10

    private let url: OutboundURL
    private let headers: [String: String]
    private let client: OutboundClient

    /// Creates a client of the collector that settings name.
    init(_ settings: TraceSettings) {
        url = settings.endpoint
        var headers = settings.headers
        headers["Content-Type"] = "application/json"
        self.headers = headers
        let roots = settings.trustedCertificates.map { NIOSSLTrustRoots.file($0) } ?? .default
        client = OutboundClient(allowsPrivateHosts: true, trust: OutboundTrust(roots))
    }

    func send(_ body: [UInt8], timeout: Double) async -> SpanAnswer {
        let request = OutboundRequest(url: url, method: .POST, headers: headers, body: body)
        do {
            return answer(try await client.send(request, timeout: timeout, bodyLimit: Self.answerBytes))
        } catch OutboundError.tooLarge {
            return .refused("The answer is too large")
        } catch OutboundError.unreachable(let reason), OutboundError.busy(let reason) {
            return .unavailable(reason, retryAfter: nil)
        } catch {
            return .unavailable("\(type(of: error))", retryAfter: nil)
        }
    }

    private func answer(_ response: OutboundResponse) -> SpanAnswer {
        switch response.status {
        case 200..<300: .taken(rejected: Self.rejected(response.body))
        case 429, 502, 503, 504: .unavailable("HTTP \(response.status)", retryAfter: response.retryAfter)
        default: .refused("HTTP \(response.status)")
        }
    }

    /// Returns how many spans an answer says were not taken.
    private static func rejected(_ body: [UInt8]) -> Int {
        guard let answer = try? JSONValue(parsing: body), let count = answer["partialSuccess"]?["rejectedSpans"] else {
            return 0
        }
        let number = count.string.flatMap { Int($0) } ?? count.integer.flatMap { Int(exactly: $0) } ?? 0
        return max(0, number)
    }
}
