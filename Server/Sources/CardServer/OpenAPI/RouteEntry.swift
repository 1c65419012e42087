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
    /// The permission that the key needs, or `nil` where none is asked for.
    package let permission: String?

    /// Creates an entry.
    package init(method: String, path: String, surface: String, needs: String?, permission: String? = nil) {
        self.method = method
        self.path = path
        self.surface = surface
        self.needs = needs
        self.permission = permission
    }

    /// Every route of the API.
    package static var api: [RouteEntry] {
        OpenAPIOperation.all.map { operation in
            RouteEntry(
                method: operation.method.uppercased(),
                path: operation.path,
                surface: operation.tag.rawValue,
                needs: operation.keyKind,
                permission: operation.permission?.rawValue
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

extension OpenAPIOperation {
    /// The kind of key that a route needs, or `nil` for none.
    fileprivate var keyKind: String? {
        switch tag {
        case .operations: nil
        case .device: "publishable key"
        default: "secret key"
        }
    }
}
