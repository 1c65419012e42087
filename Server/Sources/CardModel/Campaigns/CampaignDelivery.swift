extension Campaign {
    /// What brings the card to a user.
    public enum DeliveryMode: Sendable, Hashable {
        /// Whoever is in the audience between the two times, each open where it is `nil`.
        case scheduled(start: UnixTime?, end: UnixTime?)
        /// The same by the clock of each user, wherever they are when their device asks.
        case scheduledLocally(start: LocalTime?, end: LocalTime?)
        /// Whoever in the audience does something.
        case action(ActionDelivery)
        /// Whoever in the audience a backend names.
        case apiTriggered(APIDelivery)
    }

    /// How an event of the user brings the card.
    public struct ActionDelivery: Sendable, Hashable {
        /// How long a delay may be, in seconds: 31 days.
        public static let longestDelay = 31.0 * 86_400

        /// What the user has to do.
        public var trigger: EventCondition
        /// How many seconds later the card may be given, by the event's own time; 0 to ``longestDelay``.
        public var delay: Double
        /// For how many seconds from then on the card may be given; see ``Campaign/defaultWindow``.
        public var window: Double
        /// Events before this do not count.
        public var start: UnixTime?
        /// Events from this on do not count, and no card is given any more.
        public var end: UnixTime?

        /// Makes a delivery on an event.
        public init(
            trigger: EventCondition,
            delay: Double = 0,
            window: Double = Campaign.defaultWindow,
            start: UnixTime? = nil,
            end: UnixTime? = nil
        ) {
            self.trigger = trigger
            self.delay = delay
            self.window = window
            self.start = start
            self.end = end
        }
    }

    /// How a backend brings the card.
    public struct APIDelivery: Sendable, Hashable {
        /// For how many seconds after a trigger is due the card may be given; see ``Campaign/defaultWindow``.
        public var window: Double
        /// No card is given before this.
        public var start: UnixTime?
        /// No card is given from this on.
        public var end: UnixTime?

        /// Makes a delivery by a backend.
        public init(window: Double = Campaign.defaultWindow, start: UnixTime? = nil, end: UnixTime? = nil) {
            self.window = window
            self.start = start
            self.end = end
        }
    }

    /// For how many seconds a trigger waits for its user's device unless the campaign says otherwise: 30 days.
    public static let defaultWindow = 30.0 * 86_400
    /// For how many seconds a trigger may wait: 400 days.
    public static let longestWindow = 400.0 * 86_400
}

extension Campaign.DeliveryMode {
    /// Whether each card needs a trigger.
    public var isTriggered: Bool {
        switch self {
        case .scheduled, .scheduledLocally: false
        case .action, .apiTriggered: true
        }
    }

    /// The times between which cards are given, each open where it is `nil`.
    public var schedule: (start: PlannedTime?, end: PlannedTime?) {
        switch self {
        case .scheduled(let start, let end): (start.map(PlannedTime.at), end.map(PlannedTime.at))
        case .scheduledLocally(let start, let end): (start.map(PlannedTime.local), end.map(PlannedTime.local))
        case .action(let action): (action.start.map(PlannedTime.at), action.end.map(PlannedTime.at))
        case .apiTriggered(let api): (api.start.map(PlannedTime.at), api.end.map(PlannedTime.at))
        }
    }
    /// Where a moment lies in a schedule.
    public enum Phase: Sendable {
        /// Before the start.
        case ahead
        /// Between the start and the end.
        case running
        /// After the end.
        case over
    }

    /// Returns where a moment lies in the schedule.
    ///
    /// One in the user's local time begins with the first time zone that reaches it, and ends with the last.
    public func phase(at now: UnixTime) -> Phase {
        let (start, end) = schedule
        if let end, end.latest <= now { return .over }
        if let start, start.earliest > now { return .ahead }
        return .running
    }
}
