import CardModel
import NIOCore
import NIOHTTP1

/// Answers requests at once, on the event loop that their connection belongs to, or once a store has read what they ask
/// for.
///
/// It never keeps the event loop waiting: whatever it has no answer for, the application answers. It refuses only what
/// there is too much of, since that must cost the least.
protocol Shortcut: Sendable {
    /// Whether requests of this kind may have an answer at once, judged by method and path.
    func covers(_ method: HTTPMethod, _ uri: String) -> Bool

    /// Answers a request, or leaves it to the application.
    ///
    /// - Parameters:
    ///   - request: The request's headers.
    ///   - body: The whole body.
    ///   - memory: What the connection remembers from one request to the next.
    ///   - eventLoop: The connection's event loop, which calls this.
    /// - Returns: The reply, or who will have it.
    func answer(
        _ request: ShortcutRequest,
        _ body: ByteBuffer,
        _ memory: inout ShortcutMemory,
        on eventLoop: any EventLoop
    ) -> ShortcutAnswer

    /// The proxies that say where requests come from.
    var proxies: TrustedProxies { get }
}

/// The answer of a shortcut.
enum ShortcutAnswer {
    case reply(ShortcutReply)
    /// The reply comes later, on the connection's event loop; `nil`, or an error, leaves the request to the
    /// application.
    case later(EventLoopFuture<ShortcutReply?>)
    /// The application has to answer.
    case application
}

/// A reply of a shortcut.
struct ShortcutReply: Sendable {
    var status = HTTPResponseStatus.ok
    /// The body.
    let json: [UInt8]
    /// The number of seconds after which it is worth trying again.
    var retryAfter: Int?

    init(json: [UInt8]) { self.json = json }

    /// Tells of a refusal.
    init(_ error: RequestError) {
        status = HTTPResponseStatus(statusCode: error.status.code)
        json = error.json.bytes
        retryAfter = error.retryAfter
    }
}

/// The headers that matter to a shortcut, found in one pass.
struct ShortcutRequest {
    /// Larger bodies go to the application.
    static let maximumBody = 16_384

    /// The value of `Authorization`.
    private(set) var authorization: String?
    /// The value of `Placard-User-Token`.
    private(set) var userToken: String?
    /// The value of `X-Request-ID`, which the reply repeats.
    private(set) var requestID: String?
    /// The value of `traceparent`, or what can't be read where there are several.
    private(set) var traceParent: String?
    /// The size of the body in bytes.
    private(set) var bodySize = 0
    /// The client that it is counted for, or `nil` for none.
    var client: ClientKey?
    /// Whether it comes from a proxy that is trusted.
    var isFromProxy = false
    /// Whether it came by HTTPS, as a proxy says.
    var isSecure = false

    /// Reads headers, or returns `nil` where one of them asks for what only the application does.
    init?(_ head: HTTPRequestHead) {
        guard head.version == .http1_1 else { return nil }
        for (name, value) in head.headers {
            switch name.utf8.count {
            // Of two the application takes neither, and so decides alone who it is.
            case 13 where name.isHeader("authorization"):
                guard authorization == nil else { return nil }
                authorization = value
            case 18 where name.isHeader("placard-user-token"):
                guard userToken == nil else { return nil }
                userToken = value
            case 14 where name.isHeader("content-length"):
                guard let size = Int(value), size <= Self.maximumBody else { return nil }
                bodySize = size
            case 17 where name.isHeader("transfer-encoding"): return nil
            case 16 where name.isHeader("content-encoding"): return nil
            case 12 where name.isHeader("content-type"): guard BodyMediaType.isPlainJSON(value) else { return nil }
            case 10 where name.isHeader("connection"): guard value.isHeader("keep-alive") else { return nil }
            case 6 where name.isHeader("expect"): return nil
            // The application makes another of one that could forge lines of a log.
            case 12 where name.isHeader("x-request-id"):
                guard RequestID.isUsable(value) else { return nil }
                requestID = value
            case 7 where name.isHeader("upgrade"): return nil
            case 11 where name.isHeader("traceparent"): traceParent = traceParent == nil ? value : ""
            default: continue
            }
        }
    }
}

/// The memory of a connection: a client sends the same key with every request.
struct ShortcutMemory {
    /// The last `Authorization` that was found good.
    var authorization: String?
    /// The number of the snapshot by which it was found good; a change of keys makes a new one.
    ///
    /// A connection may be open for days, and would keep all campaigns of then in memory.
    var snapshot: UInt64?
    /// The bucket of its key.
    var key: BucketKey?
    /// The id of its key.
    var keyID = ""
    /// The time at which its key expires.
    var keyExpiresAt = UnixTime.infinity
    /// The time at which the use of its key was last noted.
    var keyNotedAt = -UnixTime.infinity
}
