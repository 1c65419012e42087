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
        let role: Role
        /// `nil` for a page, which changes nothing.
        let formUse: Gate.FormUse?
        let handler: Gate.Handler
    }

    private(set) var entries: [Entry] = []

    /// Adds a page.
    mutating func get(_ path: String, _ role: Role, _ handler: @escaping Gate.Handler) {
        entries.append(Entry(method: .get, path: path, role: role, formUse: nil, handler: handler))
    }

    /// Adds what a form does.
    mutating func post(
        _ path: String,
        _ role: Role,
        use: Gate.FormUse = .once,
        _ handler: @escaping Gate.Handler
    ) {
        entries.append(Entry(method: .post, path: path, role: role, formUse: use, handler: handler))
    }

    /// Registers them all with a router, behind the gate.
    func add(to router: Router<AppContext>, behind gate: Gate) {
        for entry in entries {
            router.on(RouterPath(entry.path), method: entry.method) { request, context in
                if let use = entry.formUse {
                    try await gate.send(request, context, entry.role, use, entry.handler)
                } else {
                    try await gate.page(request, context, entry.role, entry.handler)
                }
            }
        }
    }
}
