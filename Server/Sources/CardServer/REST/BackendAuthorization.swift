import CardModel
import Hummingbird

/// Lets requests of backends in: each by its key's limit, and tells refusals as their clients expect.
struct BackendAuthorization: Sendable {
    /// The handler that answers a request that was let in.
    typealias BackendHandler = @Sendable (Request, BackendCaller) async throws -> Response

    let services: Services

    /// Puts the authorization before a handler.
    func guarding(
        _ group: RateLimit.Group,
        _ handler: @escaping BackendHandler
    ) -> @Sendable (Request, AppContext) async throws -> Response {
        { request, context in
            do {
                let caller = BackendCaller(
                    key: try context.requireCaller(),
                    services: services,
                    isHead: context.isHead
                )
                return try await caller.answer(outOf: group) { try await handler(request, caller) }
            } catch {
                // Clients of the documented API look for the message at the top.
                var refusal = RequestError(error)
                refusal.repeatsMessageAtTop = true
                throw refusal
            }
        }
    }
}
