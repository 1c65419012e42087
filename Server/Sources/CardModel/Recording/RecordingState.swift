import WireJSON

/// The state of a user in a store, as far as recording a batch of events depends on it.
///
/// A store loads it in two steps, since what the second depends on is only known after the first:
///
/// 1. The user's version and the ``cards`` that events are about. Then it appends the events that
///    ``isLogged(eventAt:)`` is true of to the log, and puts the places of those that the log had before into
///    ``duplicates``.
/// 2. What the ``RecordingPlan`` names.
public struct RecordingState: Sendable {
    /// The user's version before the batch.
    public var version: UserVersion
    /// The cards that events are about, as far as they are the user's.
    public var cards: EventCards
    /// The test cards that events are about, as far as they are the user's; such events stay out of the log.
    public var testCards: [CardID: TestCard] = [:]
    /// The places in the batch of events that were recorded before.
    public var duplicates: Set<Int> = []

    /// The records of the history that the plan names.
    public var histories: [HistoryKey: HistoryRecord] = [:]
    /// The number of records of names of events and products of the user; only needed where ``lacksHistory`` is true.
    public var historyCount = 0
    /// The user, where the plan asks for them.
    public var profile: UserProfile?
    /// The user's cards of the campaigns that the plan names.
    public var campaigns: [CampaignID: [CampaignCard]] = [:]
    /// The times at which cards converted, for the conversions that the plan names.
    public var conversions: [ConversionPlace: [CardID: CountedConversion]] = [:]
    /// The amounts that were spent, by currency, for the conversions that the plan names.
    public var spending: [ConversionPlace: [ByteString: Spending]] = [:]
    /// The custom events, purchases and session starts in the log within the times that the plan names, the batch's
    /// included.
    ///
    /// Of the newest events of the log by their ids, ``loggedLimit`` in number and ``loggedBytes`` in size, in any
    /// order. Whether the batch's own take room of these is the store's affair.
    public var logged: [DeviceEvent] = []
    /// The triggers that wait of the campaigns that the plan names.
    public var waiting: [CampaignID: WaitingTriggers] = [:]

    /// The number of a user's newest events, by their ids, of which those are loaded that may count again.
    ///
    /// The SDK's ids sort by time. An impression that comes late has to cost little however much a user has done.
    public static let loggedLimit = 2_000
    /// The maximum number of bytes of these events' details, from the newest on.
    public static let loggedBytes = 1 << 20

    /// The number of triggers that wait, and the size of their properties, where the plan asks for it; what is beyond
    /// ``Trigger/waitingLimit`` need not be exact.
    public var waitingLoad = Trigger.TriggerLoad()

    /// Creates the state of a user, with the version alone, for a batch of events.
    public init(for batch: EventBatch, version: UserVersion) {
        self.version = version
        cards = EventCards(batch.events)
    }

    /// Whether the event at a place of the batch can be recorded: it is about a card of the user, or about none.
    public func accepts(eventAt place: Int) -> Bool {
        cards.unknown(ofEventAt: place).map { testCards[$0] != nil } ?? true
    }

    /// Whether the event at a place of the batch is to be appended to the log: it can be recorded, and isn't about a
    /// test card.
    public func isLogged(eventAt place: Int) -> Bool { cards.unknown(ofEventAt: place) == nil }

    /// Whether a record of the history that counts towards the limit isn't stored yet.
    public var lacksHistory: Bool {
        histories.contains { !$0.value.isStored && $0.key.part != .sessions }
    }

    /// Whether recording depends on the campaigns' conversions; ``Recorder/conversions`` is only needed then.
    public func dependsOnConversions(_ batch: EventBatch) -> Bool {
        batch.events.enumerated().contains { place, event in
            if case .impression = event.kind { return cards[ofEventAt: place]?.isFirstView(at: event.at) == true }
            return event.kind.isHistory
        }
    }
}
