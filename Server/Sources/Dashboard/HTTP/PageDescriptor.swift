/// A page of the dashboard: its part of the navigation, its templates, and its routes with the roles that they need.
///
/// Declared beside its page, and listed in ``all``. The navigation, the router, the table of roles, the library of
/// templates and every check that needs one of these lists follow from it.
struct PageDescriptor: Sendable {
    /// The part of the navigation that opens the page, or `nil` for a page that others lead to.
    let section: Section?
    /// The templates of the page, by their names.
    let templates: [String: [UInt8]]
    /// The page and its forms; none for templates that other pages have in common.
    let routes: PageRoutes

    /// Creates a descriptor.
    ///
    /// - Parameters:
    ///   - section: The part of the navigation that opens the page, or `nil` for a page that others lead to.
    ///   - templates: The templates of the page, by their names.
    ///   - add: Adds the page and its forms, each with its role.
    init(
        _ section: Section? = nil,
        templates: [String: [UInt8]] = [:],
        routes add: (inout PageRoutes) -> Void = { _ in }
    ) {
        self.section = section
        self.templates = templates
        var routes = PageRoutes()
        add(&routes)
        self.routes = routes
    }
}
