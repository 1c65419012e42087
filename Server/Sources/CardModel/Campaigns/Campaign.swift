public import WireJSON

/// A card, who sees it, and when.
public struct Campaign: Sendable, Hashable, Identifiable {
    /// The status of a campaign in its life.
    public enum Status: String, Sendable, CaseIterable {
        /// Being made; reaches nobody.
        case draft
        /// Reaches its audience.
        case active
        /// Reaches nobody new; delivered cards stay.
        case paused
        /// Over; delivered cards stay unless they were withdrawn.
        case stopped
        /// Over and out of the way.
        case archived
    }

    /// One of the alternatives that users are divided among.
    public struct Variant: Sendable, Hashable, Identifiable {
        /// Unique in the campaign.
        public var id: VariantID
        /// The variant's display name.
        @Bytewise public var name: String
        /// Its share, relative to the other variants'; 0 gives it to nobody new.
        public var weight: Int
        /// The card that the variant shows, or `nil` for the control, which shows nothing and is counted.
        public var card: CardTemplate?

        /// Whether this is the control.
        public var isControl: Bool { card == nil }

        /// Creates a variant; without a card it is the control.
        public init(id: VariantID, name: String = "", weight: Int = 1, card: CardTemplate?) {
            self.id = id
            self.name = name
            self.weight = weight
            self.card = card
        }
    }

    /// The parts of a campaign that people write; the server keeps the rest.
    public struct Content: Sendable, Hashable {
        /// The campaign's display name; 1 to 255 characters.
        @Bytewise public var name: String
        /// Words to find and group campaigns by.
        @Bytewise public var tags: [String]
        /// The way in which the card is delivered to a user.
        public var delivery: DeliveryMode
        /// The target audience.
        public var audience: Audience
        /// The alternatives; at least one.
        public var variants: [Variant]
        /// Divides the users afresh: another salt, another division; see ``VariantAssignment``.
        @Bytewise public var salt = ""
        /// The conversions that are counted; at most ``Conversion/limit``.
        public var conversions: [Conversion] = []
        /// The rules that limit its cards beyond that.
        public var rules: Rules

        /// Creates the content of a campaign.
        public init(
            name: String,
            tags: [String] = [],
            delivery: DeliveryMode = .scheduled(start: nil, end: nil),
            audience: Audience = .everyone,
            variants: [Variant],
            rules: Rules = Rules()
        ) {
            self.name = name
            self.tags = tags
            self.delivery = delivery
            self.audience = audience
            self.variants = variants
            self.rules = rules
        }
    }

    /// The id, which never changes.
    public let id: CampaignID
    /// The content that people wrote.
    public var content: Content
    /// The status of the campaign in its life.
    public var status: Status
    /// Whether delivered cards were taken back when it was stopped.
    public var isWithdrawn: Bool
    /// Counts the changes, from 1; an update has to name the version it was made from.
    public var version: Int64
    /// The catalog's generation when an app last had something to see of a change.
    public var generation: CatalogGeneration
    /// The time at which the campaign was created.
    public let createdAt: UnixTime
    /// The time at which the campaign was last changed.
    public var updatedAt: UnixTime
    /// The time at which the campaign was first launched, or `nil` for not yet.
    public var launchedAt: UnixTime?

    /// Creates a draft.
    public init(id: CampaignID, content: Content, createdAt: UnixTime) {
        self.id = id
        self.content = content
        self.createdAt = createdAt
        status = .draft
        isWithdrawn = false
        version = 1
        generation = 0
        updatedAt = createdAt
    }

    /// Restores a campaign from a store.
    public init(
        id: CampaignID,
        content: Content,
        status: Status,
        isWithdrawn: Bool,
        version: Int64,
        generation: CatalogGeneration,
        createdAt: UnixTime,
        updatedAt: UnixTime,
        launchedAt: UnixTime?
    ) {
        self.id = id
        self.content = content
        self.status = status
        self.isWithdrawn = isWithdrawn
        self.version = version
        self.generation = generation
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.launchedAt = launchedAt
    }

    /// The variant of that id.
    public func variant(_ id: VariantID) -> Variant? {
        content.variants.first { $0.id == id }
    }
}
