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
        await inTaskOfItsOwn { await complete(request, context) }
    }

    private func complete(_ request: Request, _ context: AppContext) async -> Response {
        let start = ContinuousClock.now
        var context = context
        context.readForwarding(request.headers, services.proxies, isEncrypted: services.certificate != nil)
        context.requestID = RequestID.of(request.headers)
        let isHead = request.method == .head
        context.isHead = isHead
        let request = isHead ? request.asGet : request
        let route = ServerMetrics.Route(request)
        let span = services.tracer.flatMap { begin($0, request, context, route) }
        let logged = await answer(request, context, route, for: span)
        var response = logged.response
        APIHeaders.complete(&response.headers)
        if isHead { response = response.withoutBody }
        response.headers[.xRequestID] = context.requestID
        let seconds = start.duration(to: .now) / .seconds(1)
        let label = label(of: route, request, context)
        services.metrics.count(route, label, status: response.status.code, seconds: seconds)
        if let span { end(span, isHead ? .head : request.method, context, label, response.status.code) }
        services.accessLog?
            .write(
                request,
                context,
                route: label,
                status: response.status.code,
                seconds: seconds,
                trace: span?.trace,
                reason: logged.reason
            )
        return response
    }

    /// An answer, and the reason that the access log has for it, if it has any.
    private typealias LoggedResponse = (response: Response, reason: String?)

    private func answer(
        _ request: Request,
        _ context: AppContext,
        _ route: ServerMetrics.Route,
        for span: ActiveSpan?
    ) async -> LoggedResponse {
        guard let span else { return await answer(request, context, route) }
        return await ActiveSpan.$current.withValue(span) { await answer(request, context, route) }
    }

    /// The route as metrics and the access log name it: the path with the names of its variables.
    private func label(of route: ServerMetrics.Route, _ request: Request, _ context: AppContext) -> String {
        guard route == .other else { return route.label }
        if let path = context.endpointPath { return path == "NotFound" ? route.label : path }
        return surfaces.contains { $0.answers(request.uri.path) } ? "/dashboard" : route.label
    }

    private func answer(
        _ request: Request,
        _ context: AppContext,
        _ route: ServerMetrics.Route
    ) async -> LoggedResponse {
        do {
            return (try await respond(to: request, context, on: route), nil)
        } catch {
            return refuse(error, request, context)
        }
    }

    private func respond(
        to request: Request,
        _ context: AppContext,
        on route: ServerMetrics.Route
    ) async throws -> Response {
        if !RequestPath.isCanonical(request.uri.path) { return try redirect(request) }
        if route.isDevice { try admit(context) }
        switch route {
        case .sync: return try await sync.sync(request, authorize(request, context, .sync))
        case .events: return try await sync.events(request, authorize(request, context, .sendEvents))
        case .live: return try await router.respond(to: request, context: context)
        case .contentTypes, .testCodes:
            return try await services.requests.run { try await router.respond(to: request, context: context) }
        case .other:
            if Self.operations.contains(request.uri.path) {
                return try await router.respond(to: request, context: context)
            }
            if let surface = surfaces.first(where: { $0.answers(request.uri.path) }) {
                return await services.pages.run { await surface.respond(to: request, context) }
            }
            return try await services.requests.run { try await router.respond(to: request, context: context) }
        }
    }

    /// Sends a browser to the page that a path with empty parts means; any other request of such a path is refused.
    private func redirect(_ request: Request) throws(RequestError) -> Response {
        guard request.method == .get, let path = RequestPath.canonical(request.uri.path), path != "/",
            surfaces.contains(where: { $0.answers(path) })
        else { throw .pathInvalid }
        let query = request.uri.query.map { "?" + $0 } ?? ""
        return Response(status: .permanentRedirect, headers: [.location: path + query])
    }

    /// The routes that monitors request, however busy the threads of backends and members are.
    private static let operations = Set(APIRoute.allCases.filter { $0.rate == .monitoring }.map(\.path))

    private func authorize(
        _ request: Request,
        _ context: AppContext,
        _ route: APIRoute
    ) throws(RequestError) -> AppContext {
        try services.authenticator.authorize(request, context, for: route)
    }

    /// Takes a request of the device API from what its client's address may make.
    private func admit(_ context: AppContext) throws(RequestError) {
        // Whether users need a token is not known; a 401 would make apps give theirs up.
        guard services.catalog.current.areSettingsKnown else { throw .unavailable }
        do {
            try services.deviceLimiter.take(.address, of: context.clientKey, deviceLimits)
        } catch {
            throw RequestError(error)
        }
    }

    private var deviceLimits: DeviceLimits { services.catalog.current.settings.deviceLimits }

    private func refuse(_ error: any Error, _ request: Request, _ context: AppContext) -> LoggedResponse {
        var refusal = limited(RequestError(error), context)
        refusal.requestID = context.requestID
        // What the server refuses for want of room is counted; writing it down each time would be room for more.
        if refusal.status.code >= 500, refusal.cause != nil {
            services.logger.error(
                "A request failed",
                metadata: [
                    "method": "\(request.method)",
                    "path": "\(context.endpointPath ?? LoggedPath.text(request.uri.path))",
                    "error": "\(refusal.cause ?? "\(error)")",
                    "request_id": "\(context.requestID)",
                ]
            )
        }
        return (refusal.response, refusal.code == RequestError.stopping.code ? refusal.code : nil)
    }
}

extension Response {
    /// The same response without its body: it says how long the body is where that is known, and nothing otherwise.
    fileprivate var withoutBody: Response {
        let body = ResponseBody(contentLength: body.contentLength) { writer in try await writer.finish(nil) }
        return Response(status: status, headers: headers, body: body)
    }
}

extension Request {
    /// The same request as a `GET`: a `HEAD` is answered by its answer, without the body.
    fileprivate var asGet: Request {
        var head = head
        head.method = .get
        return Request(head: head, body: body)
    }
}

// MARK: - Traces

extension AppResponder {
    /// Begins the span of a request, unless it isn't to be traced.
    private func begin(
        _ tracer: Tracer,
        _ request: Request,
        _ context: AppContext,
        _ route: ServerMetrics.Route
    ) -> ActiveSpan? {
        tracer.begin(.server, mayFollow: tracer.trustsProxies || !route.isDevice) {
            Tracer.Origin(request.headers[values: .traceparent]) {
                request.headers[values: .tracestate]
            } isTrusted: {
                if tracer.trustsProxies, context.comes(by: services.proxies) { return true }
                // Whoever has an app has its key, and would decide what the server traces.
                guard !route.isDevice, request.headers[.authorization] != nil else { return false }
                let caller = try? services.authenticator.holder(of: request.headers, from: context.client.provenAddress)
                return caller?.key?.kind == .secret
            }
        }
    }

    private func end(
        _ span: ActiveSpan,
        _ method: HTTPRequest.Method,
        _ context: AppContext,
        _ label: String,
        _ status: Int
    ) {
        let answer = TracedAnswer(
            method: HTTPAttribute.method(method.rawValue),
            route: label == ServerMetrics.Route.other.label ? nil : label,
            isSecure: context.client.isSecure,
            status: status,
            requestID: context.requestID
        )
        span.set(answer)
        services.tracer?.end(span)
    }
}

extension AppResponder {
    /// The refusal of a key or token, or, where its client's address has had too many of these, that it has to wait.
    private func limited(_ refusal: RequestError, _ context: AppContext) -> RequestError {
        guard refusal.status == .unauthorized else { return refusal }
        do {
            try services.deviceLimiter.take(.failures, of: context.clientKey, deviceLimits)
            return refusal
        } catch {
            var wait = RequestError(error)
            wait.repeatsMessageAtTop = refusal.repeatsMessageAtTop
            return wait
        }
    }
}

extension ServerMetrics.Route {
    /// Whether it belongs to the device API.
    var isDevice: Bool { self != .other }

    /// Finds the route of a request.
    ///
    /// A test holds it to the table of routes, which is too slow to ask for each request.
    init(_ request: Request) {
        switch (request.method, request.uri.path) {
        case (.post, "/v1/sync"): self = .sync
        case (.post, "/v1/events"): self = .events
        case (.get, "/v1/live"): self = .live
        case (_, "/v1/content-types"): self = .contentTypes
        case (.post, "/v1/test-codes"): self = .testCodes
        default: self = .other
        }
    }
}
