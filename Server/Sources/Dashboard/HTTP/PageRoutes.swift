import CardModel
import CardServer
import Hummingbird

/// Puts pages behind the gate.
struct PageRoutes {
    let gate: Gate
    let router: Router<AppContext>

    /// Registers a page.
    func get(_ path: String, _ role: Role, _ handler: @escaping Gate.Handler) {
        router.get(RouterPath(path)) { [gate] request, context in
            try await gate.page(request, context, role, handler)
        }
    }

    /// Registers what a form does.
    func post(_ path: String, _ role: Role, use: Gate.FormUse = .once, _ handler: @escaping Gate.Handler) {
        router.post(RouterPath(path)) { [gate] request, context in
            try await gate.send(request, context, role, use, handler)
        }
    }
}
