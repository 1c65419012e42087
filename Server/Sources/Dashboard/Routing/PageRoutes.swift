import CardModel
import CardServer
import HTTPTypes
import Hummingbird

/// Every page and form, each with the role that it needs: the one list of the dashboard's routes.
struct PageRoutes {
    /// A page or form that needs no session.
    struct OpenEntry: Sendable {
        let method: HTTPRequest.Method
        let path: String
        /// Makes the handler of a site.
        let handler: @Sendable (Site) -> OpenHandler
    }

    /// Answers a request of anybody.
    typealias OpenHandler = @Sendable (Request, AppContext) async throws -> Response

    /// A page or form of members.
    struct PageRoute: Sendable {
        let method: HTTPRequest.Method
        let path: String
        /// The requirements for getting there.
        var needs: PageAuthorization.Needs
        let handler: PageAuthorization.Handler
    }

    private(set) var entries: [PageRoute] = []
    private(set) var openEntries: [OpenEntry] = []

    /// Adds a page or form that anybody may ask for: what comes before a session begins.
    mutating func open(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ handler: @escaping @Sendable (Site) -> OpenHandler
    ) {
        openEntries.append(OpenEntry(method: method, path: path, handler: handler))
    }

    /// Adds a page.
    mutating func get(_ path: String, _ role: Role, _ handler: @escaping PageAuthorization.Handler) {
        entries.append(
            PageRoute(method: .get, path: path, needs: PageAuthorization.Needs(role: role), handler: handler)
        )
    }

    /// Adds what a form does.
    mutating func post(
        _ path: String,
        _ role: Role,
        use: PageAuthorization.FormUse = .once,
        isSensitive: Bool = false,
        _ handler: @escaping PageAuthorization.Handler
    ) {
        let needs = PageAuthorization.Needs(role: role, use: use, isSensitive: isSensitive)
        entries.append(PageRoute(method: .post, path: path, needs: needs, handler: handler))
    }

    /// Opens everything that was added so far to members who have yet to choose a password, or to set up the second
    /// factor that the workspace requires.
    mutating func openWithoutSetup() {
        for index in entries.indices { entries[index].needs.setup = false }
    }

    /// Registers them all with a router, those of members behind the authorization.
    func add(to router: Router<AppContext>, of site: Site) {
        for entry in openEntries {
            router.on(RouterPath(entry.path), method: entry.method, use: entry.handler(site))
        }
        let authorization = PageAuthorization(site: site)
        for entry in entries {
            router.on(RouterPath(entry.path), method: entry.method) { request, context in
                entry.method == .get
                    ? try await authorization.page(request, context, entry.needs, entry.handler)
                    : try await authorization.send(request, context, entry.needs, entry.handler)
            }
        }
    }
}
