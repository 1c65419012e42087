import CardModel
import CardServer
import HTTPTypes
import Hummingbird

/// Pages and forms, each with the role that it needs.
struct PageRoutes: Sendable {
    /// Answers a request of a member.
    typealias Handler = @Sendable (PageContext) async throws -> Response

    /// Answers a request of anybody.
    typealias OpenHandler = @Sendable (Request, AppContext) async throws -> Response

    /// Whether a form is sent once, or as often as wanted because it changes nothing.
    enum FormUse {
        case once
        case often
        /// A script sends a file, as often as wanted, with the token in a header; the body is read by the handler.
        case upload
    }

    /// The requirements of a page or a form.
    struct Needs {
        var role: Role
        var use = FormUse.once
        /// Whether the password has to have been given in the last minutes.
        var isSensitive = false
        /// Whether a temporary password has to be replaced before, and a second factor set up that the workspace
        /// requires.
        var setup = true
    }

    /// A page or form that needs no session.
    struct OpenEntry: Sendable {
        let method: HTTPRequest.Method
        let path: String
        /// Makes the handler of a site.
        let handler: @Sendable (Site) -> OpenHandler
    }

    /// A page or form of members.
    struct PageRoute: Sendable {
        let method: HTTPRequest.Method
        let path: String
        /// The requirements for getting there.
        var needs: Needs
        let handler: Handler
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
    mutating func get(_ path: String, _ role: Role, _ handler: @escaping Handler) {
        entries.append(PageRoute(method: .get, path: path, needs: Needs(role: role), handler: handler))
    }

    /// Adds what a form does.
    mutating func post(
        _ path: String,
        _ role: Role,
        use: FormUse = .once,
        isSensitive: Bool = false,
        _ handler: @escaping Handler
    ) {
        let needs = Needs(role: role, use: use, isSensitive: isSensitive)
        entries.append(PageRoute(method: .post, path: path, needs: needs, handler: handler))
    }

    /// Adds pages and forms of another list.
    mutating func add(_ other: PageRoutes) {
        entries += other.entries
        openEntries += other.openEntries
    }

    /// Opens everything that was added so far to members who have yet to choose a password, or to set up the second
    /// factor that the workspace requires.
    mutating func openWithoutSetup() {
        for index in entries.indices { entries[index].needs.setup = false }
    }
}
