import WireJSON

/// Paths as logs show them: without the ids of users and the addresses of members.
package enum LoggedPath {
    /// The beginnings of paths after which an id of a person comes.
    private static let beginnings: Set<[Substring]> = [
        ["v1", "users"], ["dashboard", "users"], ["dashboard", "team"],
    ]
    private static let longest = 200

    /// Returns a path with `{id}` in place of every person, cut where it is too long for a log.
    package static func text(_ path: String) -> String {
        var parts = path.split(at: "/", omittingEmptySubsequences: false)
        // A path that is refused for its empty parts is logged too.
        let places = parts.indices.filter { !parts[$0].isEmpty }
        if places.count > 2, beginnings.contains([parts[places[0]], parts[places[1]]]) { parts[places[2]] = "{id}" }
        return String(parts.joined(separator: "/").prefix(longest))
    }
}
