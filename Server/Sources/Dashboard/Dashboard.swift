import CardServer
import CardStore
import Hummingbird

/// The pages under `/dashboard`, over the management API of the server that they belong to.
package struct Dashboard: ServerSurface {
    private let site: Site
    private let responder: RouterResponder<AppContext>
    /// Every page and form, such as `POST /dashboard/keys`.
    let routes: [String]

    /// Makes the dashboard of a server.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - setupCode: Lets whoever has it make the first account; worth nothing once there is one.
    package init(_ server: ServerInside, setupCode: String) {
        let files = AssetFiles()
        do {
            let site = Site(server: server, files: files, templates: try Templates(files), setupCode: setupCode)
            self.site = site
            let router = Self.routes(site)
            routes = router.routes.map { "\($0.method.rawValue) \($0.path.description)" }
            responder = router.buildResponder()
        } catch {
            // The templates are part of the program, and tests fill each of them.
            preconditionFailure("A page of the dashboard cannot be read: \(error)")
        }
    }

    /// Where somebody goes who has just started a server.
    ///
    /// - Returns: The path that makes the first account, or that of the dashboard where there is one.
    package static func start(in store: any CardStore, setupCode: String) async throws -> String {
        try await store.members().isEmpty ? "/dashboard/setup?code=\(setupCode)" : "/dashboard"
    }

    package func answers(_ path: String) -> Bool {
        path == "/" || path == "/dashboard" || path.hasPrefix("/dashboard/")
    }

    package func respond(to request: Request, _ context: AppContext) async -> Response {
        var response =
            (try? await responder.respond(to: request, context: context)) ?? Response(status: .internalServerError)
        SecurityHeaders.apply(to: &response)
        return response
    }
}
