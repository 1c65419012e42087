import CardModel
import CardServer

extension Dashboard {
    /// Every page and form with what it needs; those before a session begins need nothing.
    package static var routeList: [RouteEntry] {
        let pages = Self.pages
        return pages.openEntries.map { entry($0.method.rawValue, $0.path, nil) }
            + pages.entries.map { entry($0.method.rawValue, $0.path, $0.needs.role) }
    }

    /// The role that each part of the dashboard needs, which is that of its page.
    static let sectionRoles: [Section: Role] = {
        let pages = Dashboard.pages.entries.filter { $0.method == .get }
        let found = Section.all.compactMap { section in
            pages.first { $0.path == section.address }.map { (section, $0.needs.role) }
        }
        return Dictionary(found) { first, _ in first }
    }()

    /// The names of pages that stand where another page has an id, such as `new` of `/dashboard/campaigns/new`.
    static let pageNames: Set<String> = {
        // characters: paths of our pages
        let paths = pages.entries.map { $0.path.split(separator: "/") }
        // characters: paths of our pages
        // safe: indices of the path
        let places = Set(paths.flatMap { path in path.indices.filter { path[$0].first == ":" }.map { path[..<$0] } })
        let names = paths.flatMap { path in
            // characters: paths of our pages
            // safe: indices of the path
            path.indices.filter { path[$0].first != ":" && places.contains(path[..<$0]) }.map { String(path[$0]) }
        }
        return Set(names)
    }()

    private static func entry(_ method: String, _ path: String, _ role: Role?) -> RouteEntry {
        RouteEntry(
            method: method,
            path: RouteEntry.standardPath(path),
            surface: "dashboard",
            needs: role?.rawValue
        )
    }
}
