import CardModel

/// The limit that the requests of a route count for, so that one kind of caller can't use up what another needs.
enum RateClass: Sendable, Hashable {
    /// Nothing: monitors are answered however busy the server is.
    case monitoring
    /// The limits of devices: by address, by key and by user.
    case device
    /// The requests of backends and members that the server answers at once; a key's own limit is that of
    /// ``RateLimit/Group/management``.
    case shared
    /// The key's limit for a group of paths, in addition to what the server answers at once.
    case backend(RateLimit.Group)

    /// The name in lists of routes, such as `device` or `users_track`.
    var name: String {
        switch self {
        case .monitoring: "none"
        case .device: "device"
        case .shared: "shared"
        case .backend(let group): group.rawValue
        }
    }

    /// The group of paths whose limit a backend's key has, or `nil` for a route of others.
    var backendGroup: RateLimit.Group? {
        guard case .backend(let group) = self else { return nil }
        return group
    }
}
