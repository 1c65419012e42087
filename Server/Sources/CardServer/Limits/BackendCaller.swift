import CardModel
import HTTPTypes
import Hummingbird

/// A backend whose request was let in.
struct BackendCaller: Sendable {
    let key: Caller
    let services: Services
    /// Whether the client asked for the head of the answer alone.
    var isHead = false

    /// Answers a request out of the allowance of a group, and tells the client with every answer what it has left.
    func answer(
        outOf group: RateLimit.Group,
        _ handler: () async throws -> Response
    ) async throws(RequestError) -> Response {
        let decision = take(group)
        do {
            try check(decision)
            var response = try await handler()
            for (name, value) in decision.headers { response.headers[name] = value }
            return response
        } catch {
            var refusal = RequestError(error)
            // Those of a limit that refused it are later, and stay.
            refusal.headers = decision.headers + refusal.headers
            throw refusal
        }
    }

    /// Takes one request from the allowance of a group.
    func take(_ group: RateLimit.Group) -> RateWindow.Decision {
        services.limiter.take(group, of: key, services.catalog.current.settings, at: services.clock())
    }

    /// Throws where the allowance is used up.
    func check(_ verdict: RateWindow.Decision) throws(RequestError) {
        guard !verdict.isAllowed else { return }
        var refusal = RequestError(
            .tooManyRequests,
            "rate_limited",
            "This key has made as many requests as it may for now. Wait until X-RateLimit-Reset.",
            retryAfter: max(Int(saturating: min(Double(verdict.resetsAt) - services.clock(), 86_400).rounded(.up)), 1)
        )
        refusal.headers += verdict.headers
        throw refusal
    }
}
