extension Campaign {
    /// The way in which a card is delivered to a user.
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

    /// The delivery of a card on an event of the user.
    public struct ActionDelivery: Sendable, Hashable {
        /// The longest delay, in seconds: 31 days.
        public static let longestDelay = 31.0 * 86_400

        /// The event that the user has to perform.
        public var trigger: EventCondition
        /// The delay in seconds before the card can be given, by the event's own time; 0 to ``longestDelay``.
        public var delay: Double
        /// The number of seconds from then on in which the card can be given; see ``Campaign/defaultWindow``.
        public var window: Double
        /// Events before this do not count.
        public var start: UnixTime?
        /// Events from this on do not count, and no card is given any more.
        public var end: UnixTime?

        /// Creates a delivery on an event.
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

    /// The delivery of a card on request of a backend.
    public struct APIDelivery: Sendable, Hashable {
        /// The number of seconds after a trigger is due in which the card can be given; see ``Campaign/defaultWindow``.
        public var window: Double
        /// No card is given before this.
        public var start: UnixTime?
        /// No card is given from this on.
        public var end: UnixTime?

        /// Creates a delivery by a backend.
        public init(window: Double = Campaign.defaultWindow, start: UnixTime? = nil, end: UnixTime? = nil) {
            self.window = window
            self.start = start
            self.end = end
        }
    }

    /// The number of seconds for which a trigger waits for its user's device unless the campaign says otherwise: 30
    /// days.
    public static let defaultWindow = 30.0 * 86_400
    /// The maximum number of seconds for which a trigger waits: 400 days.
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
    /// The position of a moment in a schedule.
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
