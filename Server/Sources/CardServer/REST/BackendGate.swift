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
        // Those of the limit that refused it are later, and stay.
        refusal.headers = (verdict?.headers ?? []) + refusal.headers
        return refusal
    }
}
