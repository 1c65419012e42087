import CardModel
import CardServer
import Hummingbird

/// The reason why a sign-in has to be tried again later.
enum TryLater: Error {
    /// Too much was tried; the seconds until more is permitted.
    case throttled(Double)
    /// Others come first.
    case busy

    var message: String {
        switch self {
        case .throttled(let wait): localized("Too many attempts. Try again in \(PageFormatter.duration(wait)).")
        case .busy: localized("The server is busy. Try again in a few seconds.")
        }
    }

    var status: HTTPResponse.Status {
        switch self {
        case .throttled: .tooManyRequests
        case .busy: .serviceUnavailable
        }
    }

    private var seconds: Int64 {
        switch self {
        case .throttled(let wait): Int64(nearest: max(1, wait.rounded(.up)))
        case .busy: Int64(nearest: PasswordQueue.Busy.retryAfter)
        }
    }

    /// A page with the status, and when to try again.
    func response(_ page: (HTTPResponse.Status) throws -> Response) rethrows -> Response {
        var response = try page(status)
        response.headers[.retryAfter] = String(seconds)
        return response
    }
}

extension Response {
    /// The same response with the seconds after which it is worth trying again, where they are known.
    func retryable(after seconds: Int?) -> Response {
        guard let seconds else { return self }
        var response = self
        response.headers[.retryAfter] = String(seconds)
        return response
    }
}

extension WorkLimit {
    /// Does some work, where there is room for it.
    ///
    /// - Throws: ``TryLater/busy``, or what the work throws.
    func run<Value>(_ work: () async throws -> Value) async throws -> Value {
        guard begin() else { throw TryLater.busy }
        defer { end() }
        return try await work()
    }
}
