import CardModel

/// What a caller of a route needs.
enum RouteAccess: Sendable, Hashable {
    /// Nothing: anybody may call it.
    case open
    /// A key with that permission, or a member of the team.
    case permission(Permission)
    /// A key with one of two permissions; its handler does as much as the key permits.
    case either(Permission, Permission)

    /// The permissions of which one is needed; none for a route that anybody may call.
    var permissions: [Permission] {
        switch self {
        case .open: []
        case .permission(let permission): [permission]
        case .either(let first, let second): [first, second]
        }
    }
}
