import Foundation

/// The reason why a request failed.
enum RequestFailure: Error, Sendable, Equatable {
    case unreachable(String)
    case connectionLost(String)
    case timedOut
    case invalidReply
    case status(Int, code: String?, message: String?, retryAfter: TimeInterval?)
}

extension RequestFailure {
    init(_ error: any Error) {
        switch error {
        case let failure as RequestFailure: self = failure
        case TransportError.timedOut: self = .timedOut
        case TransportError.unreachable(let reason): self = .unreachable(reason)
        case TransportError.connectionLost(let reason): self = .connectionLost(reason)
        default: self = .unreachable("the connection was cancelled")
        }
    }
}

extension RequestFailure {
    var isTokenRefusal: Bool {
        guard case .status(401, let code, _, _) = self else { return false }
        return code?.hasPrefix("token_") == true
    }

    /// Whether the server may have failed on what the request carried: it is gone, or says that it failed.
    ///
    /// One that says when to come back, or can't be reached, has other troubles; and it is a network that answers 511,
    /// until its user has signed in.
    var mayComeOfEvents: Bool {
        switch self {
        case .connectionLost: true
        case .status(let status, _, _, let retryAfter): status >= 500 && status != 511 && retryAfter == nil
        case .unreachable, .timedOut, .invalidReply: false
        }
    }

    /// Whether the server was reached, and the connection then ended without an answer.
    ///
    /// So it does where a server crashes, and where the system suspends an app with a request under way.
    var isConnectionLost: Bool {
        if case .connectionLost = self { true } else { false }
    }

    /// The server's code, where it says that the request carries more than it can take.
    var oversizeCode: String? {
        guard case .status(let status, let code?, _, _) = self, status == 400 || status == 413 else { return nil }
        return ["body_too_large", "too_many_events", "json_invalid"].contains(code) ? code : nil
    }

    /// Whether the server said that it has too much to do, or when to come back.
    var isOverload: Bool {
        guard case .status(let status, _, _, let seconds) = self else { return false }
        return status == 429 || status == 503 || status >= 500 && seconds != nil
    }

    var retryAfter: TimeInterval? {
        guard case .status(let status, _, _, let seconds) = self, status == 429 || status >= 500 else { return nil }
        return seconds
    }

    var error: ContentCardsError {
        switch self {
        case .unreachable(let reason), .connectionLost(let reason):
            ContentCardsError(.offline, "The server could not be reached: \(reason).")
        case .timedOut: .timeout
        case .invalidReply:
            ContentCardsError(.invalidReply, "The answer is not what the device API describes; check the endpoint.")
        case .status(let status, let code, let message, let seconds):
            ContentCardsError(
                Self.code(status),
                "The server answered \(status)\(message.map { ": \($0)" } ?? ".")",
                retryAfter: seconds,
                serverCode: code
            )
        }
    }

    private static func code(_ status: Int) -> ContentCardsError.Code {
        switch status {
        case 401: .unauthorized
        case 403: .forbidden
        case 429: .rateLimited
        case 500...: .serverUnavailable
        default: .rejected
        }
    }
}

extension ContentCardsError {
    static func tokenRefused(retryAfter: TimeInterval?) -> ContentCardsError {
        ContentCardsError(
            .unauthorized,
            "The user token was not accepted; give a new one with identify(_:token:) or a token provider.",
            retryAfter: retryAfter
        )
    }
}
