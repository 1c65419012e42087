import CardModel
import CardServer
import HTTPTypes
import Hummingbird

/// The pages and forms of members, each with the role that it needs.
struct PageRoutes {
    /// A page or form.
    struct Entry: Sendable {
        let method: HTTPRequest.Method
        let path: String
        /// What is needed to get there.
        var needs: Gate.Needs
        let handler: Gate.Handler
    }

    private(set) var entries: [Entry] = []

    /// Adds a page.
    mutating func get(_ path: String, _ role: Role, _ handler: @escaping Gate.Handler) {
        entries.append(Entry(method: .get, path: path, needs: Gate.Needs(role: role), handler: handler))
    }

    /// Adds what a form does.
    mutating func post(
        _ path: String,
        _ role: Role,
        use: Gate.FormUse = .once,
        isSensitive: Bool = false,
        _ handler: @escaping Gate.Handler
    ) {
        let needs = Gate.Needs(role: role, use: use, isSensitive: isSensitive)
        entries.append(Entry(method: .post, path: path, needs: needs, handler: handler))
    }

    /// Opens everything that was added so far to members who have yet to choose a password, or to set up the second
    /// factor that the workspace requires.
    mutating func openWithoutSetup() {
        for index in entries.indices { entries[index].needs.setup = false }
    }

    /// Registers them all with a router, behind the gate.
    func add(to router: Router<AppContext>, behind gate: Gate) {
        for entry in entries {
            router.on(RouterPath(entry.path), method: entry.method) { request, context in
                entry.method == .get
                    ? try await gate.page(request, context, entry.needs, entry.handler)
                    : try await gate.send(request, context, entry.needs, entry.handler)
            }
        }
    }
}
