public import CardModel
public import WireJSON

/// Keeps the events that devices report, in the order in which they arrive.
public protocol EventStore: Sendable {
    /// Counts events.
    ///
    /// One transaction stores the events, marks the cards, adds to the user's history, and adds to the counts of the
    /// day on which each happened. An event about a card that the user was never given is rejected; the others are
    /// kept. Creates the user where the store does not know them. The user's version changes only where a card's flags
    /// or the history do, or where an event has consequences; an event that was counted before has none a second time.
    /// An event that would go beyond ``UserLimits`` is rejected.
    ///
    /// - Throws: `StoreError.erased` for a user who was deleted, until a backend creates the user again.
    func recordEvents(_ batch: EventBatch) async throws -> EventOutcome

    /// Reads a user's events, the newest first: `limit` at most, 1 to 1000.
    func userEvents(of user: UserID, limit: Int) async throws -> [StoredEvent]

    /// Reads the log of events from after a position on: `limit` events at most, 1 to 1000.
    ///
    /// An event gets a larger position than every event that could be read before, so that a reader who follows the log
    /// and remembers ``EventPage/position`` misses none. Where a filter matches little, a page may end after a number
    /// of events that the store chooses, and be empty without being the last. Events of a deleted user are not there
    /// any more. One that can't be read is left out, and ``EventPage/unreadable`` has its position.
    func eventPage(after position: Int64, _ filter: EventFilter, limit: Int) async throws -> EventPage

    /// Searches the log of events, the newest first: `limit` at most, 1 to 1000.
    ///
    /// Where a filter matches little, the search ends after a number of events that the store chooses, and
    /// ``EventLogPage/searchedTo`` says where to go on.
    func searchEvents(
        matching filter: EventLogFilter,
        before position: Int64?,
        limit: Int
    ) async throws -> EventLogPage

    /// Reads the position of the newest event, or 0.
    func lastEventPosition() async throws -> Int64

    /// Returns the time at which the newest event that is kept was received, or `nil` where there is none.
    func newestEventTime() async throws -> UnixTime?

    /// Removes the events that both happened and arrived before a moment; what they counted, changed and gave stays.
    ///
    /// Those that the webhook has not sent yet stay as well. Others may read and write at the same time. The caller
    /// makes sure that such events are refused from now on, since one that is sent again would count again.
    ///
    /// - Returns: How many were removed.
    func pruneEvents(before time: UnixTime) async throws -> Int
}

extension EventStore {
    /// Returns the time at which the newest event that is kept was received, or `nil` where there is none.
    public func newestEventTime() async throws -> UnixTime? {
        // Some more, since the newest may be one that can't be read.
        try await searchEvents(matching: EventLogFilter(), before: nil, limit: 8).events.first?.receivedAt
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
    /// The time of the event.
    public var at: UnixTime
    /// The time at which it arrived.
    public var receivedAt: UnixTime
    /// The card, if it is about one.
    public var card: CardID?
    /// The card's campaign.
    public var campaign: CampaignID?
    /// The card's variant.
    public var variant: VariantID?
    /// The other details: name, product, price, properties, message.
    public var details: JSONValue

    /// Whether it says that an app could not decode a card.
    public var isDecodingError: Bool { type == "content_error" }

    /// Creates a stored event.
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

/// A part of the log of events.
public struct EventPage: Sendable, Hashable {
    /// The events, in the order in which they were kept.
    public var events: [StoredEvent]
    /// The position up to which the log was looked at: nothing at or before it is missing.
    public var position: Int64
    /// Whether that was the end of the log.
    public var isLast: Bool
    /// The positions of events that are left out because they can't be read.
    public var unreadable: [Int64] = []

    /// Creates a page.
    public init(events: [StoredEvent], position: Int64, isLast: Bool) {
        self.events = events
        self.position = position
        self.isLast = isLast
    }
}

/// The events that are looked for.
public struct EventLogFilter: Sendable, Hashable {
    /// Only those of that type.
    public var type: String?
    /// Only those of that user.
    public var user: UserID?
    /// Only those of that campaign.
    public var campaign: CampaignID?

    /// Creates a filter.
    public init(type: String? = nil, user: UserID? = nil, campaign: CampaignID? = nil) {
        self.type = type
        self.user = user
        self.campaign = campaign
    }
}

/// A part of the log of events.
public struct EventLogPage: Sendable, Hashable {
    /// The events, the newest first.
    public var events: [StoredEvent]
    /// The position where the search goes on, or `nil` where it has come to the beginning.
    public var searchedTo: Int64?

    /// Creates a page.
    public init(events: [StoredEvent], searchedTo: Int64?) {
        self.events = events
        self.searchedTo = searchedTo
    }
}
