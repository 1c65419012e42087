import CardModel
import HTTPTypes
import Hummingbird

/// Lets a request through to its route where the table of routes says so, and only there.
///
/// A handler can't forget to ask: without a line in ``RouteAccess/table`` its route answers nobody.
struct RouteAuthorization: RouterMiddleware {
    let services: Services
    var table = RouteAccess.table

    func handle(
        _ request: Request,
        context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let route = "\(request.method.rawValue) \(context.endpointPath ?? "")"
        guard let access = table[route] else {
            // A path that isn't there has no line either; the router says that it isn't there.
            guard context.isRouted else { return try await next(request, context) }
            services.logger.error("A route is in no list of routes and was refused", metadata: ["route": "\(route)"])
            throw RequestError(.forbidden, "permission_denied", "This route is open to nobody.")
        }
        guard let permission = access.permissions.first else { return try await next(request, context) }
        var context = context
        do throws(RequestError) {
            context.caller = try caller(of: request, context, access)
        } catch {
            var refusal = error
            refusal.repeatsMessageAtTop = permission.isForBackends
            throw refusal
        }
        return try await next(request, context)
    }

    /// Returns who makes a request, if they have one of the permissions of its route.
    private func caller(
        of request: Request,
        _ context: AppContext,
        _ access: RouteAccess
    ) throws(RequestError) -> Caller? {
        var refusal: RequestError?
        for permission in access.permissions {
            do throws(RequestError) {
                return try services.authenticator.require(permission, request.headers, from: context.client.address)
            } catch {
                guard error.code == "permission_denied" else { throw error }
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
        return nil
    }
}

extension AppContext {
    /// Whether the router has a route for the request.
    fileprivate var isRouted: Bool { endpointPath.map { $0 != "NotFound" } ?? false }

    /// Who makes the request, whose permission was checked before its handler was called.
    ///
    /// - Throws: `RequestError` with 401 on a route that anybody may call.
    func requireCaller() throws(RequestError) -> Caller {
        guard let caller else { throw RequestError(.unauthorized, "key_missing", "Send an API key.") }
        return caller
    }
}
