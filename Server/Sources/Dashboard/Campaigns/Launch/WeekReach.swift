import CardModel
import CardServer
import WireJSON

/// How many users of an audience can be expected within seven days, by how many there were in the last seven.
///
/// A card is given when an app asks, so users who match and don't open their app get none.
enum WeekReach {
    private static let days: JSONValue = 7

    static func text(_ audience: Audience, _ visit: Visit) async throws -> String {
        guard !audience.dependsOnPresence(in: try await visit.store.segmentAudiences()) else {
            return localized("Can’t be estimated: the audience depends on when users were first or last there.")
        }
        async let present = count(of: audience, since: .lastSeenAt, visit)
        async let first = count(of: audience, since: .firstSeenAt, visit)
        let (users, newcomers) = (try await present, try await first)
        guard users > 0 else { return localized("Unknown: none of them opened an app in the last seven days.") }
        let (all, new) = (Wording.counted(users, .user), Wording.count(newcomers))
        return localized("About \(all): as many opened an app in the last seven days, \(new) for the first time.")
    }

    private static func count(
        of audience: Audience,
        since attribute: AttributeClause.KeptAttribute,
        _ visit: Visit
    ) async throws -> Int64 {
        let recent = Audience.attribute(AttributeClause(.kept(attribute), .lessThanDaysAgo, days))
        return try await visit.ask { server, _ in try await server.segments.reach(of: .all([audience, recent])).users }
    }
}
