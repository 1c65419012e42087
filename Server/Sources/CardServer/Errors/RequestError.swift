import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import WireJSON

/// A refusal as the caller sees it: a status, a code that stays the same, and what to do.
struct RequestError: Error, Sendable {
    let status: HTTPResponse.Status
    let code: String
    let message: String
    /// Further members of the error object, such as `path`.
    var details: [(name: String, value: JSONValue)] = []
    /// The number of seconds after which it is worth trying again; never `nil` for the statuses 429 and 503.
    let retryAfter: Int?
    /// Whether the message stands beside the error object too, where clients of the documented API look for it.
    var repeatsMessageAtTop = false
    /// The objects of the request that were wrong; told where the message is repeated.
    var errors: [InputError] = []
    /// Further headers of the answer.
    var headers: [(name: HTTPField.Name, value: String)] = []
    /// The name of the request in logs, told the caller.
    var requestID: String?
    /// The cause of the error in the server, for the log.
    private(set) var cause: String?

    init(
        _ status: HTTPResponse.Status,
        _ code: String,
        _ message: String,
        details: [(name: String, value: JSONValue)] = [],
        retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.retryAfter = retryAfter ?? RetryDelay.standard(for: status.code)
    }

    static func notFound(_ what: String) -> RequestError {
        RequestError(.notFound, "not_found", "There is no such \(what).")
    }

    static let pathInvalid = RequestError(
        .notFound,
        "not_found",
        "There is no such path. A path has no empty parts and no slash at its end."
    )

    static let unavailable = RequestError(
        .serviceUnavailable,
        "unavailable",
        "The server cannot do this at the moment. Try again.",
        retryAfter: 5
    )

    static let tokenKeysOutdated = RequestError(
        .serviceUnavailable,
        "token_keys_outdated",
        "The keys of user tokens could not be fetched for a day. Check jwks_url.",
        retryAfter: 60
    )

    /// Refuses what is no HTTP, or ends too early.
    static let requestMalformed = RequestError(
        .badRequest,
        "request_malformed",
        "The body of the request cannot be read as HTTP/1.1."
    )

    static let mediaTypeUnsupported = RequestError(
        .unsupportedMediaType,
        "media_type_unsupported",
        "The body has to be JSON in UTF-8. Send the header Content-Type: application/json."
    )

    static let bodyTooLarge = RequestError(
        .contentTooLarge,
        "body_too_large",
        "The body is larger than \(RequestBodyLimit.bytes) bytes."
    )
}

/// The maximum size of a request.
enum RequestBodyLimit {
    static let bytes = 1 << 20
    /// The largest file of users, and what stands around it in a form.
    static let userFormBytes = ImportJob.fileBytes + 8_192

    /// Whether pictures are posted to a target, which may have more bytes.
    static func isForPictures(_ target: String) -> Bool {
        let path = target.prefix(before: "?")
        return path == "/v1/media" || path == "/dashboard/media/upload"
    }

    /// Whether forms send whole files of users to a target; scripts send them in pieces, elsewhere.
    static func isForUsers(_ target: String) -> Bool {
        target.prefix(before: "?") == "/dashboard/users/imports/upload"
    }
}

// MARK: From other errors

extension RequestError {
    /// Says any error as the caller may see it.
    ///
    /// What is nobody's business but the operator's becomes `internal_error`.
    init(_ error: any Error) {
        switch error {
        case let error as RequestError: self = error
        case let error as any RequestRefusing: self = error.refusal
        case let error as ModelError: self.init(error)
        case let error as JSONError: self = .malformed(error)
        case let error as StoreError: self.init(error)
        case let error as any HTTPResponseError: self.init(httpStatus: error.status)
        case is HTTPParserError, is IOError, is ChannelError: self = .requestMalformed
        default: self.init(.internalServerError, "internal_error", "Something went wrong here. It was logged.")
        }
        // What a client sends wrongly, or does not send to its end, is no failure here.
        if !(error is RequestError || error is any RequestRefusing), code != Self.requestMalformed.code {
            cause = "\(error)"
        }
    }

    private init(_ error: ModelError) {
        let status: HTTPResponse.Status = error.code == .transitionInvalid ? .conflict : .badRequest
        self.init(status, error.code.rawValue, error.message, details: [("path", .string(error.path))])
    }

    /// Refuses what would be more than is kept of one user.
    init(_ excess: UserLimits.Excess) {
        self.init(.badRequest, "limit_reached", excess.message + ".", details: [("path", "custom_attributes")])
    }

    private static func malformed(_ error: JSONError) -> RequestError {
        let details: [(name: String, value: JSONValue)] = [("offset", .integer(Int64(error.offset)))]
        return error.isRepeatedName
            ? RequestError(.badRequest, "field_repeated", "\(error.message).", details: details)
            : RequestError(.badRequest, "json_invalid", "\(error.message).", details: details)
    }

    private init(_ error: StoreError) {
        switch error.code {
        case .notFound: self = .notFound("thing")
        case .exists: self.init(.conflict, "already_exists", error.message)
        case .conflict: self.init(.conflict, "version_conflict", error.message)
        case .diskFull, .unavailable: self = .unavailable
        case .erased: self.init(.gone, "user_deleted", error.message)
        case .limitReached: self.init(.conflict, "limit_reached", error.message)
        case .incompatible, .corrupt, .locked:
            self.init(
                .internalServerError,
                "store_unusable",
                "The database can't be used. Contact your administrator; the server's log says why."
            )
        }
    }

    private init(httpStatus status: HTTPResponse.Status) {
        switch status.code {
        case 404: self.init(.notFound, "not_found", "There is no such path.")
        case 405: self.init(.methodNotAllowed, "method_not_allowed", "This path does not answer to that method.")
        case 413: self = .bodyTooLarge
        default: self.init(status, "request_invalid", "The request cannot be read.")
        }
    }
}

// MARK: To a response

extension RequestError {
    /// The body that tells the caller.
    var json: JSONWriter {
        var writer = JSONWriter()
        writer.raw("{")
        if repeatsMessageAtTop {
            writer.raw(#""message":"#)
            writer.string(message)
            writer.raw(#","errors":"#)
            writer.write(.array(errors.map(\.json)))
            writer.raw(",")
        }
        writer.raw(#""error":{"code":"#)
        writer.string(code)
        writer.raw(#","message":"#)
        writer.string(message)
        for detail in details {
            writer.raw(",")
            writer.string(detail.name)
            writer.raw(":")
            writer.write(detail.value)
        }
        if let requestID {
            writer.raw(#","request_id":"#)
            writer.string(requestID)
        }
        writer.raw("}}")
        return writer
    }

    /// The response that tells the caller.
    var response: Response {
        var response = Response(json: json, status: status)
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        for (name, value) in headers { response.headers[name] = value }
        return response
    }
}
