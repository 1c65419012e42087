import NIOHTTP1

/// The request that is being answered, and its answer.
struct Exchange {
    /// The largest rest of a body for which reading it is better than closing the connection, in bytes.
    private static let littleRest = 65_536

    /// The number of bytes in memory of a body that is kept piece by piece as it arrives.
    private static let streamedBytes = 2 << 20

    /// Whether it is a `HEAD`, whose answer has no body.
    let isHead: Bool
    let version: HTTPVersion
    /// Whether the connection may go on afterwards, as far as the request is concerned.
    let isKeptAlive: Bool
    /// The bytes of the body; `nil` where the client does not say.
    private let announcedBytes: Int?
    /// Whether the body is kept piece by piece as it arrives, and never in memory as a whole.
    private let isStreamed: Bool
    /// The bytes of the body so far.
    var bodyBytes = 0
    /// The bytes of the body that are counted in the budget.
    var countedBytes = 0
    /// The bytes of the body for which room was reserved when it was announced.
    var reservedBytes = 0
    /// The client that they are counted for.
    var client: ClientKey?
    /// Whether the request is complete.
    var isComplete = false
    /// Whether the rest of the request is thrown away.
    var isAbandoned = false
    /// Whether the head of the answer was sent.
    var isAnswered = false
    /// Whether the answer is complete.
    var isAnswerComplete = false

    init(_ head: HTTPRequestHead, _ check: RequestHeadCheck) {
        isHead = head.method == .HEAD
        version = head.version
        isKeptAlive = head.isKeepAlive && head.version == .http1_1 && !check.isUpgrade
        announcedBytes = check.bodyBytes
        isStreamed = head.method == .POST && RequestBodyLimit.isForUsers(head.uri)
    }

    /// The bytes of the body that are in memory at most.
    var heldBytes: Int { held(of: bodyBytes) }

    /// The bytes that will be in memory at most, as far as the client says, or 0 for those that aren't counted.
    var expectedBytes: Int {
        let bytes = announcedBytes ?? 0
        return bytes > BodyBudget.free ? held(of: bytes) : 0
    }

    private func held(of bytes: Int) -> Int { isStreamed ? min(bytes, Self.streamedBytes) : bytes }

    /// Whether nothing of the request is to come, or little.
    var isNearlyComplete: Bool {
        // safe: neither is negative
        isComplete || (announcedBytes.map { $0 - bodyBytes <= Self.littleRest } ?? false)
    }
}
