/// Paths as logs show them: without the ids of users and the addresses of members.
package enum LoggedPath {
    /// The beginnings of paths after which an id of a person comes.
    private static let beginnings: Set<[Substring]> = [
        ["", "v1", "users"], ["", "dashboard", "users"], ["", "dashboard", "team"],
    ]
    private static let longest = 200

    /// Returns a path with `{id}` in place of every person, cut where it is too long for a log.
    package static func text(_ path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > 3, beginnings.contains(Array(parts.prefix(3))), !parts[3].isEmpty { parts[3] = "{id}" }
        return String(parts.joined(separator: "/").prefix(longest))
    }
}
