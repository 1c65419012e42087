import CardModel
import HTTPTypes
import Hummingbird

/// Lets requests of backends in: each by its key's limit, and tells refusals as their clients expect.
struct BackendGate: Sendable {
    /// What answers a request that was let in.
    typealias Handler = @Sendable (Request, BackendCaller) async throws -> Response

    let services: Services

    /// Puts the gate before a handler.
    func guarding(
        _ group: RateLimit.Group,
        _ handler: @escaping Handler
    ) -> @Sendable (Request, AppContext) async throws -> Response {
        { request, context in
            var verdict: RateWindow.Verdict?
            do {
                let caller = BackendCaller(key: try context.requireCaller(), services: services)
                verdict = caller.take(group)
                if let verdict { try caller.check(verdict) }
                var response = try await handler(request, caller)
                response.set(verdict)
                return response
            } catch {
                throw RequestError(error).forBackends(verdict)
            }
        }
    }
}

/// A backend whose request was let in.
struct BackendCaller: Sendable {
    let key: Caller
    let services: Services

    /// Takes one request from the allowance of a group.
    func take(_ group: RateLimit.Group) -> RateWindow.Verdict {
        services.limiter.take(group, of: key, services.catalog.current.settings, at: services.clock())
    }

    /// Throws where the allowance is used up.
    func check(_ verdict: RateWindow.Verdict) throws(RequestError) {
        guard !verdict.isAllowed else { return }
        throw RequestError(
            .tooManyRequests,
            "rate_limited",
            "This key has made as many requests as it may for now. Wait until X-RateLimit-Reset.",
            retryAfter: max(Int(saturating: min(Double(verdict.resetsAt) - services.clock(), 86_400).rounded(.up)), 1)
        )
    }
}

extension Response {
    /// Tells the client what it has left.
    fileprivate mutating func set(_ verdict: RateWindow.Verdict?) {
        for (name, value) in verdict?.headers ?? [] { headers[name] = value }
    }
}

extension RequestError {
    /// The refusal with the message at the top too, where clients of the documented API look for it.
    fileprivate func forBackends(_ verdict: RateWindow.Verdict?) -> RequestError {
        var refusal = self
        refusal.repeatsMessageAtTop = true
        refusal.headers += verdict?.headers ?? []
        return refusal
    }
}
