import CardModel

/// The access that a caller of a route needs.
enum RouteAccess: Sendable, Hashable {
    /// Nothing: anybody may call it.
    case open
    /// A key with that permission, or a member of the team.
    case permission(Permission)
    /// A key with one of two permissions; its handler does as much as the key permits.
    case either(Permission, Permission)
    /// A key with both of two permissions, or a member of the team.
    case both(Permission, Permission)

    /// The permissions that it is about; none for a route that anybody may call.
    var permissions: [Permission] {
        switch self {
        case .open: []
        case .permission(let permission): [permission]
        case .either(let first, let second), .both(let first, let second): [first, second]
        }
    }

    /// The permissions that a key needs, as documents show them: of two that are each enough, the first.
    var shownPermissions: [Permission] {
        switch self {
        case .open, .permission, .both: permissions
        case .either(let first, _): [first]
        }
    }

    /// Returns what a caller lacks.
    ///
    /// - Parameter permits: Whether the caller has a permission.
    /// - Returns: A permission to name, or `nil` where the caller may call the route.
    func missing(_ permits: (Permission) -> Bool) -> Permission? {
        switch self {
        case .open: nil
        case .permission, .both: permissions.first { !permits($0) }
        case .either(let first, let second): permits(first) || permits(second) ? nil : first
        }
    }
}
