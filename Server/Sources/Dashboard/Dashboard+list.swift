import CardModel
import CardServer

extension Dashboard {
    /// Every page and form with what it needs; those before a session begins need nothing.
    package static var routeList: [RouteEntry] {
        openRoutes.map { RouteEntry(method: $0.method, path: $0.path, surface: "dashboard", needs: nil) }
            + memberRoutes.entries.map {
                RouteEntry(
                    method: $0.method.rawValue,
                    path: RouteEntry.standardPath($0.path),
                    surface: "dashboard",
                    needs: $0.needs.role.rawValue
                )
            }
    }

    private static let openRoutes: [(method: String, path: String)] = [
        ("GET", "/"), ("GET", "/dashboard/assets/{file}"), ("GET", "/dashboard/setup"), ("POST", "/dashboard/setup"),
        ("GET", "/dashboard/sign-in"), ("POST", "/dashboard/sign-in"), ("POST", "/dashboard/sign-in/code"),
        ("GET", "/dashboard/password"), ("POST", "/dashboard/password"),
    ]
}
