public import CardModel
public import WireJSON

/// The little of a user that tells whether anything has changed.
public struct UserGlance: Sendable, Hashable {
    /// The user's version.
    public var version: UserVersion
    /// ``DeviceContext/fingerprint`` of what the user's devices last said.
    public var device: Int64
    /// When one of the user's devices was last heard of, or 0 for never.
    public var lastSeenAt: UnixTime
    /// When the user was made: one who was deleted and made again counts versions anew.
    public var createdAt: UnixTime

    /// Makes a glance.
    public init(version: UserVersion, device: Int64, lastSeenAt: UnixTime, createdAt: UnixTime) {
        self.version = version
        self.device = device
        self.lastSeenAt = lastSeenAt
        self.createdAt = createdAt
    }
}

extension DeviceContext {
    /// A number that is the same for the same context and almost certainly another for another.
    public var fingerprint: Int64 {
        let text = [locale, timeZone, appVersion].map { $0 ?? "\u{1}" }.joined(separator: "\u{2}")
        return Int64(bitPattern: StableHash.of("device", text))
    }
}

/// A trigger that waits no more.
public struct PastTrigger: Sendable, Hashable {
    /// The trigger.
    public var trigger: TriggerID
    /// When it happened.
    public var at: UnixTime
    /// What became of it.
    public var outcome: Trigger.Outcome

    /// Makes a past trigger.
    public init(trigger: TriggerID, at: UnixTime, outcome: Trigger.Outcome) {
        self.trigger = trigger
        self.at = at
        self.outcome = outcome
    }
}

/// An event as it was kept.
public struct StoredEvent: Sendable, Hashable {
    /// Its place in the order in which events were kept.
    public var position: Int64
    /// The user.
    public var user: UserID
    /// The client's id.
    public var id: EventID
    /// The name of its type on the wire.
    public var type: String
    /// When it happened.
    public var at: UnixTime
    /// When it arrived.
    public var receivedAt: UnixTime
    /// The card, if it is about one.
    public var card: CardID?
    /// The card's campaign.
    public var campaign: CampaignID?
    /// The card's variant.
    public var variant: VariantID?
    /// What else it says: name, product, price, properties, message.
    public var details: JSONValue

    /// Makes a stored event.
    public init(
        position: Int64,
        user: UserID,
        id: EventID,
        type: String,
        at: UnixTime,
        receivedAt: UnixTime,
        card: CardID? = nil,
        campaign: CampaignID? = nil,
        variant: VariantID? = nil,
        details: JSONValue = .null
    ) {
        self.position = position
        self.user = user
        self.id = id
        self.type = type
        self.at = at
        self.receivedAt = receivedAt
        self.card = card
        self.campaign = campaign
        self.variant = variant
        self.details = details
    }
}

/// What a catalog is made of.
public struct CatalogSource: Sendable {
    /// The generation that the campaigns show.
    public var generation: CatalogGeneration
    /// Every campaign that was ever launched.
    public var campaigns: [Campaign]
    /// The audience of every saved segment.
    public var segments: [SegmentID: Audience]
    /// The broadcasts that may still give a card, the oldest first.
    public var broadcasts: [Broadcast]
    /// The content blocks, by name.
    public var contentBlocks: [ContentBlock] = []
    /// The settings.
    public var settings: Settings
    /// Every key.
    public var keys: [APIKey]

    /// Makes a source.
    public init(
        generation: CatalogGeneration,
        campaigns: [Campaign],
        segments: [SegmentID: Audience] = [:],
        broadcasts: [Broadcast] = [],
        settings: Settings,
        keys: [APIKey]
    ) {
        self.generation = generation
        self.campaigns = campaigns
        self.segments = segments
        self.broadcasts = broadcasts
        self.settings = settings
        self.keys = keys
    }
}

/// What changed in a store.
public enum StoreChange: Sendable, Hashable {
    /// Campaigns, segments, settings or keys.
    case catalog
    /// The feed of one user, changed by that device, which need not be told.
    case user(UserID, except: String?)
    /// One user was deleted, or is now known by another id.
    case removed(UserID)
    /// More than could be told one by one.
    case anything
}

/// What one of the app's typed contents expects of a card's extras.
public struct ContentType: Sendable, Hashable {
    /// The `class_type`.
    public var classType: String
    /// The description as the app sent it, an object.
    public var schema: JSONValue
    /// When it was last published.
    public var updatedAt: UnixTime

    /// Makes a content type.
    public init(classType: String, schema: JSONValue, updatedAt: UnixTime) {
        self.classType = classType
        self.schema = schema
        self.updatedAt = updatedAt
    }
}

/// Why a store did not do what it was asked.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Sendable {
        /// There is no such thing.
        case notFound
        /// There is such a thing already.
        case exists
        /// It was changed by somebody else meanwhile.
        case conflict
        /// The disk is full or cannot be written.
        case diskFull
        /// The store is of a newer version of the software, or is not ours.
        case incompatible
        /// The store is busy, closed or out of reach; trying again may help.
        case unavailable
        /// The data is damaged.
        case corrupt
        /// The secrets in it can't be decrypted: their key is missing, or another one was given.
        case locked
        /// A device would bring back a user who was deleted.
        case erased
    }

    /// Says that a device would bring back a user who was deleted.
    public static let erased = StoreError(
        .erased,
        "This user was deleted. A backend can create the user again: PATCH /v1/users/{id} or POST /users/track."
    )

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, without any user's data.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
