/// A route and what its caller needs.
package struct RouteEntry: Sendable, Hashable {
    /// The HTTP method in capitals.
    package let method: String
    /// The path, with parameters in braces.
    package let path: String
    /// The part of the server that it belongs to: `dashboard`, or a tag of the OpenAPI document.
    package let surface: String
    /// The kind of key or the role, or `nil` where anybody may call it.
    package let needs: String?
    /// The permissions that the key needs, all of them; none where none is asked for.
    package let permissions: [String]
    /// The limit that its requests count for: `none`, `device`, `shared`, or the name of a limit of backends in the
    /// settings.
    package let rate: String

    /// Creates an entry.
    package init(
        method: String,
        path: String,
        surface: String,
        needs: String?,
        permissions: [String] = [],
        rate: String = RateClass.shared.name
    ) {
        self.method = method
        self.path = path
        self.surface = surface
        self.needs = needs
        self.permissions = permissions
        self.rate = rate
    }

    /// Every route of the API.
    package static var api: [RouteEntry] {
        let operations = Dictionary(OpenAPIOperation.all.map { ($0.route, $0) }) { first, _ in first }
        return APIRoute.allCases.map { route in
            RouteEntry(
                method: route.method.rawValue,
                path: route.path,
                surface: operations[route]?.tag.rawValue ?? "undocumented",
                needs: route.keyKind,
                permissions: route.access.shownPermissions.map(\.rawValue),
                rate: route.rate.name
            )
        }
    }

    /// Returns a path of the router with its parameters in braces, as the OpenAPI document writes them.
    package static func standardPath(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
            .joined(separator: "/")
    }
}

extension RouteEntry {
    /// Returns the page of the documentation that lists routes, without the end of its last line.
    package static func document(_ routes: [RouteEntry]) -> String {
        let surfaces = routes.reduce(into: [String]()) { if !$0.contains($1.surface) { $0.append($1.surface) } }
        let parts = surfaces.map { surface in
            """
            ## \(surface.prefix(1).uppercased() + surface.dropFirst())

            | route | needs | permission | rate |
            |---|---|---|---|
            \(routes.filter { $0.surface == surface }.map(\.row).joined(separator: "\n"))
            """
        }
        return ([documentHead] + parts).joined(separator: "\n\n")
    }

    private static let documentHead = """
        # Routes

        Every path that the server answers, written by `placard routes --markdown`; a test holds it to the server. \
        A route that isn't in the
        server's table can't be registered, and its handler runs only once the caller is known and has the permission.

        - *permission*: a key needs this one or one that includes it, and all where there are several: see \
        [API keys](keys.md).
        - *rate*: what requests are taken from. `none`: answered however busy the server is. `device`: the limits of \
        devices by address, key and user.
          `shared`: what the server answers at once for backends and members; a key also has its limit `management` \
        in `rate_limits` of the settings. Any other
          name: the limit of a key there.
        """

    private var row: String {
        let permissions = permissions.map { "`\($0)`" }.joined(separator: ", ")
        return "| `\(method) \(path)` | \(needs ?? "nothing") | \(permissions) | \(rate) |"
    }
}

extension APIRoute {
    /// The kind of key that a route needs, or `nil` for none.
    fileprivate var keyKind: String? {
        guard let permission = access.permissions.first else { return nil }
        return permission == .device ? "publishable key" : "secret key"
    }
}
