import CardModel
import CardServer
import WireJSON

/// The number of users of an audience that can be expected within seven days, by how many there were in the last seven.
///
/// A card is given when an app asks, so users who match and don't open their app get none. What the delivery asks for
/// besides isn't in the number, and is said beside it.
enum WeekReach {
    private static let days: JSONValue = 7
    private static let seconds = 7 * 86_400.0

    static func text(_ audience: Audience, _ context: PageContext) async throws -> String {
        guard !audience.dependsOnPresence(in: try await context.store.segmentAudiences()) else {
            return localized("Can’t be estimated: the audience depends on when users were first or last there.")
        }
        async let present = count(of: audience, since: .lastSeenAt, context)
        async let first = count(of: audience, since: .firstSeenAt, context)
        let (users, newcomers) = (try await present, try await first)
        guard users > 0 else { return localized("Unknown: none of them opened an app in the last seven days.") }
        let (all, new) = (PageFormatter.counted(users, .user), PageFormatter.count(newcomers))
        return localized("About \(all): as many opened an app in the last seven days, \(new) for the first time.")
    }

    /// Returns the notes on what a delivery means for the number: when the seven days begin and end, and what users or
    /// a backend have to do.
    static func notes(_ delivery: Campaign.DeliveryMode, at now: UnixTime, timeZone: String) -> [String] {
        let schedule = delivery.schedule
        let start = max(now, schedule.start?.earliest ?? now)
        var notes: [String] = []
        if let planned = schedule.start, start > now {
            notes.append(
                localized("These are the first seven days after the start, \(ScheduleText.text(planned, timeZone)).")
            )
            if case .local = planned {
                notes.append(localized("Each user’s seven days begin at that time where the user is."))
            }
        }
        if let end = schedule.end, end.earliest < start + seconds {
            notes.append(localized("The campaign ends before the seven days are over, so fewer users get the card."))
        }
        switch delivery {
        case .scheduled, .scheduledLocally: break
        case .action(let action):
            let event = action.trigger.displayName
            notes.append(
                localized("Only those of them who do “\(event)” get the card: how many will isn’t known before.")
            )
        case .apiTriggered:
            notes.append(localized("Only those of them that your backend triggers it for get the card."))
        }
        return notes
    }

    private static func count(
        of audience: Audience,
        since attribute: AttributeClause.SystemAttribute,
        _ context: PageContext
    ) async throws -> Int64 {
        let recent = Audience.attribute(AttributeClause(.system(attribute), .lessThanDaysAgo, days))
        return try await context.ask { server, _ in try await server.segments.reach(of: .all([audience, recent])).users
        }
    }
}
