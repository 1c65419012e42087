public import WireJSON

/// The parts of a user that say whether an audience means them, so that no more is read.
public struct AudienceNeeds: Sendable, Hashable {
    /// The parts of the history.
    public private(set) var parts: UserHistory.Parts = []
    /// The custom events, of all that the user did.
    public private(set) var events: Set<ByteString> = []
    /// The campaigns, of all that the user had to do with.
    public private(set) var campaigns: Set<CampaignID> = []
    /// The custom attributes.
    public private(set) var custom: Set<ByteString> = []
    /// Whether the standard attributes are needed.
    public private(set) var standard = false
    /// Whether it is asked when the user was last seen, which every sync changes.
    public private(set) var lastSeen = false

    /// Finds what one condition needs by itself, without those inside it.
    init(of audience: Audience) {
        switch audience {
        case .attribute(let clause):
            switch clause.name {
            case .standard: standard = true
            case .custom(let name): custom = [name]
            case .system(let name): lastSeen = name == .lastSeenAt
            }
        case .history(let clause):
            switch clause.subject {
            case .event(let name):
                parts = .events
                events = [name]
            case .purchase: parts = .purchases
            case .session: parts = .sessions
            }
            take(clause.window)
        case .contact(let clause):
            parts = .contacts
            campaigns = [clause.campaign]
            take(clause.window)
        case .everyone, .all, .any, .none, .users, .segment, .bucket: break
        }
    }

    /// Creates what is needed to answer for several audiences.
    package init(ofAll needs: [AudienceNeeds]) {
        for one in needs { formUnion(one) }
    }

    /// Calendar days are those of the user's time zone, a standard attribute.
    private mutating func take(_ window: TimeWindow?) {
        if case .calendarDays = window { standard = true }
    }

    mutating func formUnion(_ other: AudienceNeeds) {
        parts.formUnion(other.parts)
        events.formUnion(other.events)
        campaigns.formUnion(other.campaigns)
        custom.formUnion(other.custom)
        standard = standard || other.standard
        lastSeen = lastSeen || other.lastSeen
    }
}
