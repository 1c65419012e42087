/// Every campaign that a device may see something of, prepared for reading.
///
/// A catalog is a value of one generation: syncs that are under way keep theirs while the next one is made.
public struct Catalog: Sendable {
    /// A campaign with its cards encoded.
    ///
    /// A class: syncs pass it about, and a campaign is too much to copy each time.
    public final class Entry: Sendable {
        /// The campaign.
        public let campaign: Campaign
        /// The sends that every user in their audience gets, the oldest first.
        public let broadcasts: [Broadcast]
        /// The place among ``Catalog/active``, or `nil` where it reaches nobody new.
        let activeIndex: Int?
        /// The campaign's audience.
        public let audience: AudienceMatcher
        /// The division of users among its variants; see ``Campaign/division``.
        public let allocation: VariantAllocation?
        /// The audiences of the broadcasts, in their order.
        let broadcastAudiences: [AudienceMatcher]
        let reeligibility: Campaign.Rules.Reeligibility
        // What a sync asks of every campaign stands here by itself: copying a campaign's content costs more than
        // asking.
        let schedule: (start: PlannedTime?, end: PlannedTime?)
        let isTriggered: Bool
        let ignoresQuietHours: Bool
        /// The race by which the campaign's variants are chosen.
        let race: VariantRace
        fileprivate let cards: [CatalogCard]

        /// Prepares a campaign, taking over what `known`, an entry of the same campaign, has made already.
        fileprivate init(
            _ campaign: Campaign,
            broadcasts: [Broadcast],
            segments: [SegmentID: Audience],
            gaps: CatalogGaps,
            engine: TemplateEngine,
            activeIndex: Int?,
            reusing known: (entry: Entry, hasSegments: Bool)?
        ) {
            self.campaign = campaign
            self.broadcasts = broadcasts
            self.activeIndex = activeIndex
            allocation = campaign.allocation
            audience =
                known.flatMap { $0.hasSegments ? $0.entry.audience : nil }
                ?? gaps.matcher(of: campaign.content.audience, segments: segments)
            broadcastAudiences = broadcasts.map { gaps.matcher(of: $0.audience, segments: segments) }
            reeligibility = campaign.content.reeligibility
            schedule = campaign.content.delivery.schedule
            isTriggered = campaign.content.delivery.isTriggered
            ignoresQuietHours = campaign.content.rules.ignoresQuietHours
            race = VariantRace(campaign)
            cards =
                known?.entry.cards
                ?? campaign.content.variants.map { CatalogCard(variant: $0, of: campaign, engine: engine) }
        }

        /// The card of a variant, or `nil` where there is none of that id.
        func card(of variant: VariantID) -> CatalogCard? { cards.first { $0.variant == variant } }

        /// The time since which the campaign has reached users.
        var offeredSince: UnixTime {
            var start = -Double.infinity
            if case .at(let time) = schedule.start { start = time }
            return max(campaign.launchedAt ?? -.infinity, start)
        }
    }

    /// The generation that this catalog shows.
    public let generation: CatalogGeneration
    /// The maximum number of cards of a user; see ``Settings``.
    public let cardLimit: Int
    /// The limits on the new cards that a user gets in some days.
    public let frequencyCaps: [FrequencyCap]
    /// The hours in which nobody gets a new card.
    public let quietHours: QuietHours?
    /// The clock of users whose own is not known.
    public let workspaceClock: TimeZoneClock
    /// Each campaign that was ever launched.
    public let entries: [CampaignID: Entry]
    /// Those that reach new users, in the order in which they were launched.
    public let active: [Entry]
    /// Finds those of them that may concern a user.
    let index: CampaignIndex
    /// The parts of users' histories that tell who is in the audiences of those campaigns.
    public let historyParts: UserHistory.Parts
    /// Whether any of those audiences asks when the user was last seen: then a sync may change what the next one gives.
    public let asksLastSeen: Bool
    /// The IANA time zone of the workspace's days.
    public let timeZone: String
    /// Whether the texts of any card are rendered for each user, which takes a while.
    public let rendersTemplates: Bool
    /// Whether templates ask hosts, so that what they ask for has to be fetched before.
    public let fetchesContent: Bool
    /// The consequences of events.
    public let eventRules: EventRules
    /// The audiences of the saved segments.
    let segments: [SegmentID: Audience]
    /// The campaigns and segments that can't be read.
    let gaps: CatalogGaps
    /// The engine that renders the cards.
    let engine: TemplateEngine
    private let starts: [UnixTime]

    /// Prepares campaigns.
    ///
    /// - Parameters:
    ///   - campaigns: Every campaign that was ever launched; drafts are passed over.
    ///   - broadcasts: The sends that every user in their audience gets.
    ///   - generation: The generation of those campaigns.
    ///   - segments: The audiences of the saved segments.
    ///   - gaps: The campaigns and segments that can't be read.
    ///   - settings: What bounds what users are given.
    ///   - engine: What compiles and renders the templates.
    ///   - last: A catalog whose engine has the same filters; what was made of campaigns that are as they were then is
    ///     not made again, since compiled templates have nothing of content blocks.
    public init(
        campaigns: [Campaign],
        broadcasts: [Broadcast] = [],
        generation: CatalogGeneration,
        segments: [SegmentID: Audience] = [:],
        gaps: CatalogGaps = CatalogGaps(),
        settings: Settings,
        engine: TemplateEngine = TemplateEngine(),
        reusing last: Catalog? = nil
    ) {
        self.generation = generation
        cardLimit = settings.cardLimit
        frequencyCaps = settings.frequencyCaps
        quietHours = settings.quietHours
        timeZone = settings.timeZone
        workspaceClock = TimeZoneClock(named: settings.timeZone) ?? .utc
        (self.segments, self.gaps, self.engine) = (segments, gaps, engine)
        let launched = campaigns.filter { $0.launchedAt != nil }
        let sends = Dictionary(grouping: broadcasts, by: \.trigger.campaign)
        let hasSegments = last?.segments == segments && last?.gaps.segments == gaps.segments
        func entry(_ campaign: Campaign, _ activeIndex: Int?) -> Entry {
            let broadcasts = sends[campaign.id] ?? []
            let known = last?.entries[campaign.id].flatMap { $0.campaign == campaign ? $0 : nil }
            if let known, hasSegments, known.activeIndex == activeIndex, known.broadcasts == broadcasts { return known }
            return Entry(
                campaign,
                broadcasts: broadcasts,
                segments: segments,
                gaps: gaps,
                engine: engine,
                activeIndex: activeIndex,
                reusing: known.map { ($0, hasSegments) }
            )
        }
        active = launched.filter { $0.status == .active }
            .sorted { ($0.launchedAt ?? 0, $0.id) < ($1.launchedAt ?? 0, $1.id) }
            .enumerated().map { entry($1, $0) }
        index = CampaignIndex(active)
        let others = launched.filter { $0.status != .active }.map { entry($0, nil) }
        rendersTemplates = (active + others).contains { $0.cards.contains(where: \.isTemplate) }
        fetchesContent = engine.fetches(for: launched)
        entries = Dictionary((active + others).map { ($0.campaign.id, $0) }, uniquingKeysWith: { _, last in last })
        let audiences = (active + others).flatMap(\.askedAudiences)
        historyParts = audiences.reduce(into: []) { $0.formUnion($1.parts) }
        asksLastSeen = audiences.contains { $0.needs.lastSeen }
        eventRules = EventRules(launched)
        starts = active.flatMap(\.starts).sorted()
    }

    /// Prepares campaigns under settings that are at their defaults but for the number of cards and the time zone.
    public init(
        campaigns: [Campaign],
        generation: CatalogGeneration,
        segments: [SegmentID: Audience] = [:],
        cardLimit: Int = Settings().cardLimit,
        timeZone: String = Settings().timeZone
    ) {
        var settings = Settings()
        settings.cardLimit = cardLimit
        settings.timeZone = timeZone
        self.init(campaigns: campaigns, generation: generation, segments: segments, settings: settings)
    }

    /// The next moment after `now` at which a campaign starts to reach users or a broadcast is due, the same for
    /// everybody, or `nil`.
    public func nextStart(after now: UnixTime) -> UnixTime? {
        var range = starts.startIndex..<starts.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            // safe: the middle is in the range
            range = starts[middle] > now ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound < starts.endIndex ? starts[range.lowerBound] : nil
    }
}

extension Catalog.Entry {
    /// The audiences that decide what a user has of the campaign.
    fileprivate var askedAudiences: [AudienceMatcher] {
        guard activeIndex != nil || campaign.content.rules.followsAudience else { return [] }
        return [audience] + broadcastAudiences
    }

    /// The moments at which something begins for everybody.
    fileprivate var starts: [UnixTime] {
        let times = [schedule.start].compactMap(\.self) + broadcasts.map(\.trigger.due)
        return times.compactMap { time in
            if case .at(let moment) = time { moment } else { nil }
        }
    }
}

extension Campaign {
    private var cards: [VariantID: CardTemplate?] {
        Dictionary(content.variants.map { ($0.id, $0.card) }, uniquingKeysWith: { _, last in last })
    }

    /// Whether a device has something to see of the change from `old`.
    public func differsOnDevices(from old: Campaign) -> Bool {
        cards != old.cards || isWithdrawn != old.isWithdrawn
            || content.rules.followsAudience != old.content.rules.followsAudience
            || (content.rules.followsAudience && content.audience != old.content.audience)
    }
}
