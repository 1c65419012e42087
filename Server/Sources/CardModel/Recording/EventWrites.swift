import WireJSON

/// The outcome of a batch of events.
public struct EventOutcome: Sendable, Hashable {
    /// The answer to the device.
    public var receipt: EventReceipt
    /// The user's version before the batch.
    public var versionBefore: UserVersion
    /// The user's version after it.
    public var versionAfter: UserVersion
    /// The parts of the user's history that the batch added to.
    public var historyParts: UserHistory.Parts = []
    /// Whether something changed that the device which sent the events does not know: cards were taken away, or wait.
    public var bringsNews = false
    /// The limits that events would have gone beyond, by their place in the batch; they are in the receipt too.
    public var excesses: [Int: UserLimits.Excess] = [:]

    /// Creates an outcome.
    public init(receipt: EventReceipt, versionBefore: UserVersion, versionAfter: UserVersion) {
        self.receipt = receipt
        self.versionBefore = versionBefore
        self.versionAfter = versionAfter
    }
}

/// The writes that record a batch of events, and their outcome.
///
/// A store applies the parts in the order of the properties. What is counted is in ``Recorder/counts``.
public struct EventWrites: Sendable {
    /// A record of the history, to be inserted or updated.
    public struct History: Sendable {
        /// The key of what is summed up.
        public let key: HistoryKey
        /// The new summary.
        public let summary: HistorySummary
        /// Whether the store has a row for it.
        public let isStored: Bool
    }

    /// The time at which a card converted.
    public struct ConversionWrite: Sendable, Hashable {
        /// The conversion.
        public let place: ConversionPlace
        /// The card.
        public let card: CardID
        /// The conversion, or `nil` where the card did not convert after all and the row is deleted.
        public let counted: CountedConversion?
    }

    /// The amount that was spent in one currency.
    public struct Spent: Sendable, Hashable {
        /// The conversion.
        public let place: ConversionPlace
        /// The currency, ISO 4217.
        public let currency: ByteString
        /// The spending, or `nil` where nothing was spent after all and the row is deleted.
        public let spending: Spending?
    }

    /// A report that a device could not decode a card's extras.
    ///
    /// Reports of one campaign and variant about one type and field are one row, which counts them and keeps the first
    /// message. A campaign has at most ``limit`` rows; further ones are left out.
    public struct DecodingErrorReport: Sendable, Hashable {
        /// The number of rows of a campaign: more than anybody reads, and a bound to what devices can make a store
        /// keep.
        public static let limit: Int64 = 100

        /// The campaign.
        public let campaign: CampaignID
        /// The variant.
        public let variant: VariantID
        /// The error that the device reported.
        public let error: DeviceEvent.ContentError
        /// The time of the error.
        public let at: UnixTime
    }

    /// The events to remove from the log again, because something of them is beyond a limit.
    public internal(set) var withdrawn: [EventID] = []
    /// The cards that changed: ``RecordedCard/isMarked``, ``RecordedCard/isTouched`` or both.
    public internal(set) var cards: [RecordedCard] = []
    /// The test cards that the user did something new with.
    public internal(set) var testCards: [CardID: TestCard] = [:]
    /// The reports of extras that did not decode.
    public internal(set) var problems: [DecodingErrorReport] = []
    /// The records of the history that changed.
    public internal(set) var histories: [History] = []
    /// The times of conversions that changed.
    public internal(set) var conversions: [ConversionWrite] = []
    /// The spending that changed.
    public internal(set) var spending: [Spent] = []
    /// The campaigns whose cards leave for good.
    public internal(set) var endedCampaigns: [CampaignID] = []
    /// The triggers that wait from now on.
    public internal(set) var triggers: [Trigger] = []
    /// The triggers that wait no more, some of ``triggers`` perhaps among them.
    public internal(set) var usedTriggers: [UsedTrigger] = []
    /// The triggers that keep broadcasts from the user; each takes the place of one of that id, if there is one.
    public internal(set) var covers: [Trigger] = []
    /// The user with other attributes, or `nil` where they stay.
    public internal(set) var profile: UserProfile?
    /// The version of cards and attributes that changed.
    public let version: UserVersion
    /// The outcome of the batch.
    public internal(set) var outcome: EventOutcome
    /// The device that need not be told of the change, or `nil` where every device is.
    public internal(set) var knowingDevice: String?

    /// The parts of the user themselves that are written.
    public enum EventUserWrite: Sendable, Hashable {
        /// Nothing.
        case nothing
        /// The version.
        case version
        /// The attributes, and the version.
        case attributes(UserProfile)
    }

    /// The parts of the user themselves that are written.
    public var user: EventUserWrite {
        if let profile { return .attributes(profile) }
        return outcome.versionAfter == outcome.versionBefore ? .nothing : .version
    }

    init(after version: UserVersion) {
        // safe: versions go up by one
        self.version = version + 1
        outcome = EventOutcome(receipt: EventReceipt(), versionBefore: version, versionAfter: version)
    }
}
