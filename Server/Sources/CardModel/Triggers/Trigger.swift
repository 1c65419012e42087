public import WireJSON

/// Names what a card was given for: a send of a backend, or an event of the user.
public struct TriggerID: Identifier {
    /// The bytes by which the id is compared.
    public let bytes: ByteString

    /// Takes an id that was checked before.
    public init(rawValue: String) { bytes = ByteString(rawValue) }

    /// Takes an id from outside, or returns `nil` where it isn't an ``IdentityText`` of 1 to 128 bytes.
    public init?(checking text: String) {
        guard IdentityText.isValid(text, maximumBytes: 128) else { return nil }
        bytes = ByteString(text)
    }
}

/// Something that happened to one user and entitles them to one card of a campaign.
public struct Trigger: Sendable, Hashable {
    /// The outcome of a trigger that no longer waits.
    public enum TriggerOutcome: String, Sendable {
        /// The card was given.
        case delivered
        /// The user did not become eligible within the campaign's window.
        case expired
        /// The user had a card of the campaign already, and not long enough ago.
        case notReeligible = "not_reeligible"
        /// A removal event came first.
        case removed = "removal_event"
    }

    /// The number of triggers that may wait for one user before an event adds another.
    ///
    /// Each sync reads what waits. A device can have an event happen as often as it likes.
    public static let waitingLimit = 250
    /// The maximum size of a trigger's properties, in bytes of JSON.
    public static let propertyLimit = 16 << 10

    /// Unique for the user and the campaign: a second one of that id is the same one.
    public var id: TriggerID
    /// The campaign.
    public var campaign: CampaignID
    /// The time of the trigger.
    public var at: UnixTime
    /// The time from which the card can be given.
    public var due: PlannedTime
    /// The time until which the card can be given.
    public var until: UnixTime
    /// The properties that templates can read, a JSON object; `nil` for nothing.
    public var properties: [UInt8]?

    /// Creates a trigger.
    public init(
        id: TriggerID,
        campaign: CampaignID,
        at: UnixTime,
        due: PlannedTime,
        until: UnixTime,
        properties: [UInt8]? = nil
    ) {
        self.id = id
        self.campaign = campaign
        self.at = at
        self.due = due
        self.until = until
        self.properties = properties
    }
}

extension Trigger {
    /// Whether the trigger keeps a broadcast of its id from its user, and never becomes due itself.
    ///
    /// A send gives a user one card, and the user's own trigger comes first: so a removal event cancels a broadcast.
    public var coversBroadcast: Bool { Self.coversBroadcast(due: due, until: until) }

    /// A trigger that keeps the broadcast of this one, which is due, from a user.
    var cover: Trigger { Trigger(id: id, campaign: campaign, at: at, due: .at(until), until: until) }

    static func coversBroadcast(due: PlannedTime, until: UnixTime) -> Bool { due == .at(until) }
}

/// A request of a backend to send a card to users one by one.
public struct TriggerSend: Sendable {
    /// The maximum number of users in one send.
    public static let recipientLimit = 50

    /// One user, and what only their card is to say.
    public struct Recipient: Sendable {
        /// The user.
        public var user: UserID
        /// The properties that templates can read, a JSON object; `nil` for nothing.
        public var properties: [UInt8]?

        /// Creates a recipient.
        public init(_ user: UserID, properties: [UInt8]? = nil) {
            self.user = user
            self.properties = properties
        }
    }

    /// The trigger that all of them get; its properties are left aside in favour of each recipient's.
    public var trigger: Trigger
    /// The users.
    public var recipients: [Recipient]
    /// Whether users that the store does not know are made; otherwise they get nothing.
    public var makesUsers: Bool
    /// Whether it may be put off or called off by its id until it is due.
    public var isScheduled: Bool

    /// Creates a send.
    public init(_ trigger: Trigger, to recipients: [Recipient], makesUsers: Bool = false, isScheduled: Bool = false) {
        self.trigger = trigger
        self.recipients = recipients
        self.makesUsers = makesUsers
        self.isScheduled = isScheduled
    }
}

/// The result of a send.
public struct TriggerReceipt: Sendable, Hashable {
    /// The number of users who got the trigger.
    public var accepted = 0
    /// The number of users who had got one of that ID for the campaign before.
    public var duplicate = 0
    /// Those that the store does not know.
    public var unknown: [UserID] = []

    /// Creates an empty receipt.
    public init() {}
}
