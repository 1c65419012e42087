import CardModel
import HTTPTypes
import NIOHTTP1

/// The head of a request, read for what decides how the request arrives.
///
/// The parser below is strict by itself; this sees what it leaves open: heads that two programs might read differently,
/// and those that ask for what the server never does.
struct RequestHeadCheck {
    /// The bytes of a request's target, at most.
    static let targetBytes = 8_192

    /// Whether a body follows.
    var hasBody: Bool { bodyBytes != 0 }
    /// The bytes of the body, or `nil` where the client does not say.
    private(set) var bodyBytes: Int? = 0
    /// Whether the client waits to be told to send the body.
    var expectsContinue: Bool { expectation != nil }
    /// Whether the client asks for another protocol; the parser reads no request after such a one.
    private(set) var isUpgrade = false
    /// The error in the head, if there is one.
    private(set) var refusal: RequestError?

    private var hosts = 0
    private var lengths = 0
    private var length: String?
    private var transfers = 0
    private var transfer: String?
    private var expectation: String?
    private var encoding: String?

    /// Reads a head.
    init(_ head: HTTPRequestHead) {
        for (name, value) in head.headers { take(name, value) }
        refusal = checkVersion(head) ?? checkFraming(head) ?? Self.checkTarget(head) ?? checkMeaning()
    }

    private mutating func take(_ name: String, _ value: String) {
        switch name.utf8.count {
        case 4 where name.isHeader("host"): hosts += 1
        case 6 where name.isHeader("expect"): expectation = value
        case 7 where name.isHeader("upgrade"): isUpgrade = true
        case 14 where name.isHeader("content-length"):
            lengths += 1
            length = value
        case 16 where name.isHeader("content-encoding"): encoding = value
        case 17 where name.isHeader("transfer-encoding"):
            transfers += 1
            transfer = value
        default: break
        }
    }

    private func checkVersion(_ head: HTTPRequestHead) -> RequestError? {
        guard head.version == .http1_1 || head.version == .http1_0 else { return .malformed("HTTP/1.1 is expected.") }
        guard hosts == 1 || (hosts == 0 && head.version == .http1_0) else {
            return .malformed("One Host header is expected.")
        }
        return nil
    }

    private mutating func checkFraming(_ head: HTTPRequestHead) -> RequestError? {
        if let transfer {
            bodyBytes = nil
            guard transfers == 1, lengths == 0, transfer.isHeader("chunked"), head.version == .http1_1 else {
                return .malformed("The length of the body is not clear.")
            }
        }
        guard let length else { return nil }
        guard lengths == 1, (1...19).contains(length.utf8.count),
            length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bytes = Int(length)
        else { return .malformed("The length of the body is not clear.") }
        bodyBytes = bytes
        // Every target takes as much as that; nearly all bodies are smaller.
        guard bytes > RequestBodyLimit.bytes else { return nil }
        let isPicture = head.method == .POST && RequestBodyLimit.isForPictures(head.uri)
        if isPicture { return bytes > ImageLimits.bytes ? .mediaTooLarge : nil }
        let isOfUsers = head.method == .POST && RequestBodyLimit.isForUsers(head.uri)
        if isOfUsers { return bytes > RequestBodyLimit.userFormBytes ? .importTooLarge : nil }
        return .bodyTooLarge
    }

    private static func checkTarget(_ head: HTTPRequestHead) -> RequestError? {
        if head.method == .CONNECT {
            return RequestError(.methodNotAllowed, "method_not_allowed", "This server is no proxy.")
        }
        guard head.uri.utf8.count <= targetBytes else {
            return RequestError(.uriTooLong, "uri_too_long", "A target has at most \(targetBytes) bytes.")
        }
        let isOurs =
            head.uri.utf8.first == UInt8(ascii: "/") || head.uri == "*"
            || ["http://", "https://"].contains { head.uri.lowercased().hasPrefix($0) }
        guard isOurs, head.uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return .malformed("The target has to be a path.")
        }
        return nil
    }

    private func checkMeaning() -> RequestError? {
        if let encoding, !encoding.isHeader("identity") {
            return RequestError(
                .unsupportedMediaType,
                "content_encoding_unsupported",
                "Send the body as it is, without compression."
            )
        }
        if let expectation, !expectation.isHeader("100-continue") {
            return RequestError(.expectationFailed, "expectation_failed", "100-continue is all that may be expected.")
        }
        return nil
    }
}

extension String {
    /// Whether this is that ASCII text, given in lower case, in any case.
    func isHeader(_ lowercased: StaticString) -> Bool {
        guard utf8.count == lowercased.utf8CodeUnitCount else { return false }
        let expected = UnsafeBufferPointer(start: lowercased.utf8Start, count: lowercased.utf8CodeUnitCount)
        // characters: two texts byte by byte
        return zip(utf8, expected).allSatisfy { byte, letter in
            byte == letter || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == letter
        }
    }
}

extension RequestError {
    /// Refuses what is no HTTP, or not clearly one request.
    static func malformed(_ message: String) -> RequestError {
        RequestError(.badRequest, "request_malformed", message)
    }

    /// Refuses a request that took too long to arrive.
    static let requestTimeout = RequestError(
        .requestTimeout,
        "request_timeout",
        "The request did not arrive in time. Send it faster, or in parts."
    )

    /// Refuses a request that had not wholly arrived when the server's time to stop was over; only logs tell of it.
    static let stopping = RequestError(
        .serviceUnavailable,
        "stopping",
        "The server stops. Send the request again.",
        retryAfter: 5
    )

    /// Refuses what the parser does not take for HTTP.
    init(parsing error: HTTPParserError) {
        switch error {
        case .headerOverflow:
            self.init(.requestHeaderFieldsTooLarge, "head_too_large", "The headers are too many or too long.")
        case .invalidVersion: self = .malformed("HTTP/1.1 is expected.")
        case .invalidEOFState: self = .malformed("The request ends too early.")
        default: self = .malformed("This is not a request of HTTP/1.1.")
        }
    }
}
