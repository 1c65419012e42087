import CardModel
import Hummingbird

/// Registers handlers with a router, each behind what the table of routes asks for.
///
/// A handler gets its request only once its caller is known and may make it: nothing else registers routes of the API.
struct RouteRegistry {
    /// Answers a request that was let in.
    typealias RouteHandler = @Sendable (Request, AppContext) async throws -> Response

    /// The router so far.
    let router = Router(context: AppContext.self)
    /// The services that handlers share.
    let services: Services

    /// The query parameters of the routes that take no others.
    private let parameters: [APIRoute: QueryParameters]

    /// Creates a registry without routes.
    init(services: Services, parameters: [APIRoute: QueryParameters] = [:]) {
        self.services = services
        self.parameters = parameters
        router.add(middleware: RefusalMiddleware())
    }

    /// Registers the handler of a route.
    func on(_ route: APIRoute, use handler: @escaping RouteHandler) {
        let authenticator = services.authenticator
        let parameters = parameters[route]
        router.on(RouterPath(route.path), method: route.method) { [services] request, context -> Response in
            let permitted = try authenticator.authorize(request, context, for: route)
            guard route.rate == .shared, let key = permitted.caller, key.key != nil else {
                try parameters?.check(request)
                return try await handler(request, permitted)
            }
            return try await BackendCaller(key: key, services: services).answer(outOf: .management) {
                try parameters?.check(request)
                return try await handler(request, permitted)
            }
        }
    }
}

extension Authenticator {
    /// Returns the context of a request with who makes it, if they have what its route needs.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: What is known of the request.
    ///   - route: The route that it is for.
    /// - Returns: The context, without a caller where anybody may call the route.
    /// - Throws: `RequestError` with 401 where there is no such key, with 403 where it isn't permitted.
    func authorize(
        _ request: Request,
        _ context: AppContext,
        for route: APIRoute
    ) throws(RequestError) -> AppContext {
        guard let permission = route.access.permissions.first else { return context }
        var context = context
        do throws(RequestError) {
            let caller = try holder(of: request.headers, from: context.client.provenAddress)
            if let missing = route.access.missing(caller.permits) { try caller.require(missing) }
            context.caller = caller
        } catch {
            var refusal = error
            refusal.repeatsMessageAtTop = permission.isForBackends
            throw refusal
        }
        return context
    }
}
