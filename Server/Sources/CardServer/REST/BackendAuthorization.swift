import CardModel
import HTTPTypes
import Hummingbird

/// Lets requests of backends in: each by its key's limit, and tells refusals as their clients expect.
struct BackendAuthorization: Sendable {
    /// The handler that answers a request that was let in.
    typealias Handler = @Sendable (Request, BackendCaller) async throws -> Response

    let services: Services

    /// Puts the gate before a handler.
    func guarding(
        _ group: RateLimit.Group,
        _ handler: @escaping Handler
    ) -> @Sendable (Request, AppContext) async throws -> Response {
        { request, context in
            var decision: RateWindow.Decision?
            do {
                let caller = BackendCaller(key: try context.requireCaller(), services: services)
                decision = caller.take(group)
                if let decision { try caller.check(decision) }
                var response = try await handler(request, caller)
                response.set(decision)
                return response
            } catch {
                throw RequestError(error).forBackends(decision)
            }
        }
    }
}

extension Response {
    /// Tells the client what it has left.
    fileprivate mutating func set(_ decision: RateWindow.Decision?) {
        for (name, value) in decision?.headers ?? [] { headers[name] = value }
    }
}

extension RequestError {
    /// The refusal with the message at the top too, where clients of the documented API look for it.
    fileprivate func forBackends(_ decision: RateWindow.Decision?) -> RequestError {
        var refusal = self
        refusal.repeatsMessageAtTop = true
        // Those of the limit that refused it are later, and stay.
        refusal.headers = (decision?.headers ?? []) + refusal.headers
        return refusal
    }
}
