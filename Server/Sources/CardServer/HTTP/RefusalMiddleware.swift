import HTTPTypes
import Hummingbird

/// Lets the router's own refusals, such as a path that is not there, look like all others.
struct RefusalMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError {
            if error.status == .notFound { throw RequestError.unrouted(request.method, request.uri.path) }
            throw RequestError(error)
        }
    }
}
