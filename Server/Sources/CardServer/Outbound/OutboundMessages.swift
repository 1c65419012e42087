import NIOHTTP1

/// A request to a host that an administrator or a template names.
struct OutboundRequest: Sendable {
    let url: OutboundURL
    var method = HTTPMethod.GET
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Whether the body of the answer is read, and not the status alone.
    var wantsBody = true
}

/// The answer of such a host.
struct OutboundResponse: Sendable, Equatable {
    let status: Int
    /// The number of seconds that it asks to wait, if it does.
    let retryAfter: Double?
    let body: [UInt8]
    /// The media type that it says the body has, in lower case and without parameters.
    var mediaType: String?
    /// The size of the body that it tells, in bytes, if it does; that of `HEAD` has none.
    var contentLength: Int?
}

/// The reason why there is no answer.
enum OutboundError: Error, Equatable {
    /// The host wasn't asked, couldn't be reached, or didn't answer in HTTP and in time.
    ///
    /// The detail is for the server's log, and never for whoever named the host.
    case unreachable(String)
    /// The host wasn't asked, because too many others are being asked.
    ///
    /// The detail is for the server's log.
    case busy(String)
    /// The answer has more bytes than it may have.
    case tooLarge
}
