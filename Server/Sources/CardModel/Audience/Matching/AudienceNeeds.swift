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

    /// Creates what a filter needs; a window of calendar days needs the user's time zone, a standard attribute.
    init(
        parts: UserHistory.Parts = [],
        events: Set<ByteString> = [],
        campaigns: Set<CampaignID> = [],
        custom: Set<ByteString> = [],
        standard: Bool = false,
        lastSeen: Bool = false,
        window: TimeWindow? = nil
    ) {
        self.parts = parts
        self.events = events
        self.campaigns = campaigns
        self.custom = custom
        self.standard = standard
        self.lastSeen = lastSeen
        if case .calendarDays = window { self.standard = true }
    }

    /// Creates what is needed to answer for several audiences.
    package init(ofAll needs: [AudienceNeeds]) {
        for one in needs { formUnion(one) }
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
