import CardModel
import HTTPTypes
import Hummingbird
import Logging

/// Answers every request: the two that devices send all the time directly, the others by the router.
///
/// All errors become answers here, and every answer is counted here.
struct AppResponder: HTTPResponder {
    typealias Context = AppContext

    let sync: SyncController
    let router: RouterResponder<AppContext>
    let services: Services
    let surfaces: [any ServerSurface]

    func respond(to request: Request, context: AppContext) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        context.readForwarding(request.headers, services.proxies)
        let route = ServerMetrics.Route(request)
        let response = await answer(request, context, route)
        let seconds = start.duration(to: .now) / .seconds(1)
        services.metrics.count(route, status: response.status.code, seconds: seconds)
        return response
    }

    private func answer(_ request: Request, _ context: AppContext, _ route: ServerMetrics.Route) async -> Response {
        do {
            switch route {
            case .sync: return try await sync.sync(request, context)
            case .events: return try await sync.events(request, context)
            case .live: return try await router.respond(to: request, context: context)
            case .other:
                if let surface = surfaces.first(where: { $0.answers(request.uri.path) }) {
                    return await surface.respond(to: request, context)
                }
                return try await router.respond(to: request, context: context)
            }
        } catch {
            return refuse(error, request)
        }
    }

    private func refuse(_ error: any Error, _ request: Request) -> Response {
        let refusal = RequestError(error)
        if refusal.status.code >= 500 {
            services.logger.error(
                "A request failed",
                metadata: [
                    "method": "\(request.method)", "path": "\(request.uri.path)",
                    "error": "\(refusal.cause ?? "\(error)")",
                ]
            )
        }
        return refusal.response
    }
}

extension ServerMetrics.Route {
    fileprivate init(_ request: Request) {
        switch (request.method, request.uri.path) {
        case (.post, "/v1/sync"): self = .sync
        case (.post, "/v1/events"): self = .events
        case (.get, "/v1/live"): self = .live
        default: self = .other
        }
    }
}
