import Foundation

/// Tells why a request of the SDK did not succeed.
public struct ContentCardsError: Error, Sendable, Equatable {
    /// Names the reason.
    ///
    /// Open: later versions may add codes, so a `switch` needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name of the code.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The server could not be reached.
        public static let offline = Code("offline")
        /// The answer did not come in time.
        public static let timeout = Code("timeout")
        /// The device or the server allows no further request yet; see ``ContentCardsError/retryAfter``.
        public static let rateLimited = Code("rate_limited")
        /// The SDK is disabled; see ``ContentCardsClient/enable()``.
        public static let disabled = Code("disabled")
        /// Nobody is identified; call ``ContentCardsClient/identify(_:token:)`` first.
        public static let noUser = Code("no_user")
        /// The user was switched while the request was under way.
        public static let userChanged = Code("user_changed")
        /// The server refused the key or the user token.
        public static let unauthorized = Code("unauthorized")
        /// The key isn't allowed to do this.
        public static let forbidden = Code("forbidden")
        /// The server refused the request as wrong.
        public static let rejected = Code("rejected")
        /// The server failed or is not available.
        public static let serverUnavailable = Code("server_unavailable")
        /// The server's answer could not be read.
        public static let invalidReply = Code("invalid_reply")
        /// The endpoint is not an http or https address.
        public static let invalidEndpoint = Code("invalid_endpoint")
        /// The task that waited was cancelled.
        public static let cancelled = Code("cancelled")
        /// The client was closed.
        public static let closed = Code("closed")
    }

    /// The reason.
    public let code: Code
    /// A sentence for developers that says what to do.
    ///
    /// It holds no user data.
    public let message: String
    /// The number of seconds after which it makes sense to try again, where that is known.
    public let retryAfter: TimeInterval?
    /// The code that the server gave, where it gave one.
    public let serverCode: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, retryAfter: TimeInterval? = nil, serverCode: String? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.serverCode = serverCode
    }
}

extension ContentCardsError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

extension ContentCardsError {
    static let noUser = ContentCardsError(.noUser, "Nobody is identified; call identify(_:token:) first.")
    static let disabled = ContentCardsError(.disabled, "Content cards are disabled; call enable() first.")
    static let closed = ContentCardsError(.closed, "The client was closed; create a new one.")
    static let userChanged = ContentCardsError(.userChanged, "The user was switched before the answer came.")
    static let cancelled = ContentCardsError(.cancelled, "The task that waited for the answer was cancelled.")
    static let timeout = ContentCardsError(.timeout, "The server did not answer in time; try again later.")
    static let invalidEndpoint = ContentCardsError(
        .invalidEndpoint,
        "The endpoint is not an http or https address with a host; no request is made."
    )

    static func rateLimited(_ seconds: TimeInterval) -> ContentCardsError {
        ContentCardsError(.rateLimited, "No further refresh is allowed yet; try again later.", retryAfter: seconds)
    }
}
