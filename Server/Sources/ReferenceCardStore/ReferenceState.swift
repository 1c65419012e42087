import CardModel
import CardStore
import WireJSON

/// Everything that a reference store keeps.
struct ReferenceState: Sendable {
    // MARK: Users
    var users: [UserID: ReferenceUser] = [:]
    /// The users who were deleted, and when.
    var erased: [UserID: UnixTime] = [:]
    /// The users who were merged into others.
    var merged: [UserID: (identity: UserID, at: UnixTime)] = [:]
    /// The last position that was given out.
    var lastPosition: Int64 = 0
    var testUsers: [TestUser] = []
    var testCodes: [ReferenceTestCode] = []

    // MARK: Campaigns
    var campaigns: [CampaignID: Campaign] = [:]
    var versions: [CampaignID: [PastCampaign]] = [:]
    var approvals: [Approval] = []
    var segments: [SegmentID: Segment] = [:]
    var broadcasts: [Broadcast] = []
    var contentBlocks: [ByteString: ContentBlock] = [:]
    var media: [String: ReferenceMedia] = [:]
    var bucketFolders: [BucketFolder: ReferenceBucketFolder] = [:]
    var contentTypes: [ByteString: ContentType] = [:]
    var proposals: [(proposal: ContentTypeProposal, isDismissed: Bool)] = []
    var generation: CatalogGeneration = 0

    // MARK: Counts
    var counts: [RecordedCounts.Key: CampaignCounts] = [:]
    var conversionCounts: [RecordedCounts.ConversionKey: ConversionCounts] = [:]
    var amountCounts: [RecordedCounts.AmountKey: AmountCounts] = [:]
    var allocations: [RecordedCounts.VariantAllocationKey: Int64] = [:]
    var problems: [ProblemKey: (message: String, count: Int64, lastAt: UnixTime)] = [:]
    var suppressed: [SuppressionKey: Int64] = [:]
    /// The variants that were ever a control, whose counts are not in the totals of a day.
    var dayTotals: [Day: CampaignCounts] = [:]

    // MARK: Access
    var settings = Settings()
    var keys: [APIKey] = []
    var members: [ReferenceMember] = []
    var sessions: [Session] = []
    var spentForms: [[UInt8]: UnixTime] = [:]
    var attempts: [[UInt8]: AttemptCount] = [:]
    var mails: [ReferenceMail] = []
    var imports: [ReferenceImport] = []
    var filters: [SavedFilter] = []
    var audit: [AuditEntry] = []
    var auditChain = AuditChain()

    // MARK: Webhook
    var webhook: ReferenceWebhook?
    var notices: [WebhookNotice] = []
    var lastNotice: Int64 = 0

    // MARK: The current write
    var now: UnixTime = 0
    var changes = ReferenceChanges()

    /// The log of events of all users, in the order in which they arrived.
    var log: [ReferenceEvent] {
        users.values.flatMap(\.log).sorted { $0.stored.position < $1.stored.position }
    }

    struct ProblemKey: Hashable, Sendable {
        let campaign: CampaignID
        let variant: VariantID
        let classType: ByteString
        let field: ByteString
    }

    struct SuppressionKey: Hashable, Sendable {
        let campaign: CampaignID
        let variant: VariantID
        let day: CountingDay
        let kind: TemplateFailure.FailureKind
        let reason: ByteString
    }
}

/// A trigger that a user has had.
struct KnownTrigger: Sendable {
    var trigger: Trigger
    /// The result, or `nil` while it waits.
    var outcome: Trigger.TriggerOutcome?
    /// Whether it may be put off or canceled by its id until it is due.
    var isScheduled: Bool

    init(_ trigger: Trigger, isScheduled: Bool = false) {
        self.trigger = trigger
        self.isScheduled = isScheduled
    }
}

/// A user and all that is the user's.
struct ReferenceUser: Sendable {
    var profile: UserProfile
    var version: UserVersion
    /// The time at which a backend last changed the attributes.
    var updatedAt: UnixTime?
    var cards: [ReferenceCard] = []
    var testCards: [TestCard] = []
    /// The user's events, in the order in which they arrived.
    var log: [ReferenceEvent] = []
    var histories: [HistoryKey: HistorySummary] = [:]
    var triggers: [TriggerKey: KnownTrigger] = [:]
    var conversions: [ConversionPlace: [CardID: CountedConversion]] = [:]
    var spending: [ConversionPlace: [ByteString: Spending]] = [:]
    var aliases: [UserAlias] = []
    var suppressed: Set<Suppression> = []

    struct Suppression: Hashable, Sendable {
        let campaign: CampaignID
        let variant: VariantID
        let kind: TemplateFailure.FailureKind
    }

    /// The time by which a backend's users are sorted.
    var changedAt: UnixTime { updatedAt ?? profile.createdAt }

    var state: UserState {
        var state = UserState(profile: profile, version: version)
        // Two users who were merged may have been given cards at the same positions.
        let sorted = cards.sorted { ($0.position, $0.delivery.card) < ($1.position, $1.delivery.card) }
        state.deliveries = sorted.map { card in
            var delivery = card.delivery
            if delivery.end != nil || delivery.isDismissed {
                delivery.origin = DeliveryOrigin(trigger: delivery.origin?.trigger)
            }
            return delivery
        }
        state.triggers = triggers.values.filter { $0.outcome == nil }.map(\.trigger)
            .sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        state.testCards = testCards.sorted { ($0.sentAt, $0.card) < ($1.sentAt, $1.card) }
        return state
    }

    /// Returns the load of the waiting triggers that count.
    func load(of counts: (Trigger) -> Bool) -> Trigger.TriggerLoad {
        let waiting = triggers.values.filter { $0.outcome == nil }.map(\.trigger).filter(counts)
        // safe: what memory holds
        return Trigger.TriggerLoad(count: waiting.count, size: waiting.reduce(0) { $0 + ($1.properties?.count ?? 0) })
    }

    func history(_ parts: UserHistory.Parts) -> UserHistory {
        var history = UserHistory()
        for (key, summary) in histories where !key.part.isDisjoint(with: parts) {
            switch summary {
            case .purchases(let record): history.purchases[.init(id: key.name, currency: key.currency)] = record
            case .occurrences(let occurrences) where key.part == .sessions: history.sessions = occurrences
            case .occurrences(let occurrences): history.events[ByteString(key.name)] = occurrences
            }
        }
        return history
    }
}

/// A card that a user was given.
struct ReferenceCard: Sendable {
    var delivery: Delivery
    /// The place in the order in which the user got cards.
    var position: Int64
    var firstViewedAt: UnixTime?

    var recorded: RecordedCard {
        RecordedCard(
            id: delivery.card,
            campaign: delivery.campaign,
            variant: delivery.variant,
            marks: CardMarks(
                isViewed: delivery.isViewed,
                isClicked: delivery.isClicked,
                isDismissed: delivery.isDismissed,
                viewedAt: delivery.lastViewedAt,
                clickedAt: delivery.lastClickedAt,
                dismissedAt: delivery.dismissedAt
            ),
            firstViewedAt: firstViewedAt
        )
    }

    var ofCampaign: CampaignCard {
        CampaignCard(
            ConvertibleCard(
                card: delivery.card,
                variant: delivery.variant,
                deliveredAt: delivery.deliveredAt,
                firstViewedAt: firstViewedAt
            ),
            isViewed: delivery.isViewed,
            isClicked: delivery.isClicked,
            end: delivery.end
        )
    }
}

/// An event of the log.
struct ReferenceEvent: Sendable {
    var stored: StoredEvent
    let event: DeviceEvent
}

/// A member of the team, with what isn't told of them.
struct ReferenceMember: Sendable {
    var member: TeamMember
    /// The link that an administrator made.
    var link: (hash: [UInt8], until: UnixTime)?
    /// The link that was asked for.
    var requestedLink: (hash: [UInt8], until: UnixTime)?
    var change: (action: String, at: UnixTime)?
}

/// A message to a member, and when it is due.
struct ReferenceMail: Sendable {
    var mail: Mail
    var nextAttemptAt: UnixTime
    var failures = 0
    var failure: MailFailure?
    var worker: String?
}

/// The webhook, with the worker that has it.
struct ReferenceWebhook: Sendable {
    var webhook: Webhook
    var progress: WebhookProgress
    var droppedNotices: Int64 = 0
    var worker: (name: String, until: UnixTime)?
}

/// A code that a device shows.
struct ReferenceTestCode: Sendable {
    let code: TestCode
    let holder: TestCodeHolder
    let expiresAt: UnixTime
}
