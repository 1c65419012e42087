import CardModel
import WireJSON

/// The writes of a group at its end: what all nodes share, so that it is locked for as short a time as can be.
struct PendingWrites {
    /// An event for the log.
    struct Event {
        let user: UserID
        let event: DeviceEvent
        let receivedAt: UnixTime
        let card: RecordedCard?
    }

    /// Events, in the order in which they came; those that were withdrawn are `nil`.
    private(set) var events: [Event?] = []
    /// The places of the events by their users.
    private var places: [UserID: [EventID: Int]] = [:]
    /// Reports of extras that did not decode.
    private(set) var problems: [EventWrites.DecodingErrorReport] = []
    /// The campaigns of whose problems nothing is kept that an app has written.
    private(set) var forgottenCampaigns: Set<CampaignID> = []
    /// The moment before which problems were last counted of which nothing is kept that an app has written.
    private(set) var forgottenTime: UnixTime?
    /// The numbers of cards that templates withheld, by where they count.
    private(set) var withheld: [WithheldKey: Int64] = [:]
    /// Changes with everything that is added.
    private(set) var revision = 0

    /// Adds an event, or returns `false` where the user has sent it before in this group.
    mutating func append(_ event: Event) -> Bool {
        let (user, id) = (event.user, event.event.id)
        guard places[user]?[id] == nil else { return false }
        places[user, default: [:]][id] = events.count
        events.append(event)
        revision += 1
        return true
    }

    mutating func withdraw(_ event: EventID, of user: UserID) {
        guard let place = places[user]?.removeValue(forKey: event) else { return }
        events[place] = nil
    }

    /// Takes back all events of a user.
    mutating func withdrawEvents(of user: UserID) {
        guard let own = places.removeValue(forKey: user) else { return }
        // safe: places of events
        for place in own.values { events[place] = nil }
    }

    /// Returns whether any of some users has events here.
    func hasEvents(of users: Set<UserID>) -> Bool { users.contains { places[$0]?.isEmpty == false } }

    func contains(_ event: EventID, of user: UserID) -> Bool { places[user]?[event] != nil }

    /// Takes out the events.
    mutating func takeEvents() -> [Event] {
        defer { (events, places) = ([], [:]) }
        return events.compactMap { $0 }
    }

    mutating func count(_ problem: EventWrites.DecodingErrorReport) {
        problems.append(problem)
        revision += 1
    }

    /// Forgets what apps have written about the problems of campaigns, those of this group too.
    mutating func forgetMessages(of campaigns: [CampaignID]) {
        forgottenCampaigns.formUnion(campaigns + problems.map(\.campaign))
        revision += 1
    }

    /// Forgets what apps have written about problems that were last counted before a moment.
    mutating func forgetMessages(before time: UnixTime) {
        forgottenTime = max(time, forgottenTime ?? time)
        revision += 1
    }

    mutating func count(_ key: WithheldKey) {
        // safe: counts of users and of changes
        withheld[key, default: 0] += 1
        revision += 1
    }
}

/// The key by which a card that a template withheld counts.
struct WithheldKey: Hashable {
    let campaign: CampaignID
    let variant: VariantID
    let day: CountingDay
    let kind: TemplateFailure.FailureKind
    let reason: ByteString
}
