import Foundation

/// Carries requests to the server and answers back.
///
/// An implementer's duties: make one attempt and no retry; return an answer of any status; throw ``TransportError``
/// when there is no answer; stop when the task is cancelled. `ScriptedTransport` in `ContentCardsTesting` is an
/// example.
public protocol Transport: Sendable {
    /// Sends a request and returns the whole answer.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Sends a request and returns as soon as the head of the answer is there; the body follows as it arrives.
    func open(_ request: TransportRequest) async throws -> TransportStream
}

/// Describes a request.
public struct TransportRequest: Sendable, Equatable {
    /// The method, such as `POST`.
    public var method: String
    /// The whole address.
    public var url: URL
    /// The header fields.
    public var headers: [String: String]
    /// The body, if any.
    public var body: Data?
    /// The number of seconds without a byte after which the request fails.
    public var timeout: TimeInterval

    /// Creates a request.
    public init(
        method: String,
        url: URL,
        headers: [String: String] = [:],
        body: Data? = nil,
        timeout: TimeInterval = 15
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// Describes an answer.
public struct TransportResponse: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    /// The header fields, with names in lowercase.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// Creates an answer.
    ///
    /// Names of header fields are put into lowercase.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.body = body
    }
}

/// Describes an answer whose body is still arriving.
public struct TransportStream: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields, with names in lowercase.
    public var headers: [String: String]
    /// The pieces of the body.
    ///
    /// The stream ends with the connection, and throws when that broke.
    public var bytes: AsyncThrowingStream<Data, any Error>

    /// Creates an answer.
    ///
    /// Names of header fields are put into lowercase.
    public init(status: Int, headers: [String: String] = [:], bytes: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.bytes = bytes
    }
}

/// Tells why there is no answer.
public enum TransportError: Error, Sendable, Equatable {
    /// The server could not be reached. The text is for developers.
    case unreachable(String)
    /// The server was reached, and closed the connection without an answer. The text is for developers.
    ///
    /// That is how a server looks that crashed on a request: an event that does it three times alone is set aside.
    /// While the app is away it counts for nothing, since the system ends the connections of an app that it suspends.
    case connectionLost(String)
    /// The time of the request was over.
    case timedOut
    /// The request was cancelled.
    case cancelled
}
