import Foundation

/// Everything that an audience can be asked about: a user at a moment.
public struct UserFacts: Sendable {
    /// The user's profile.
    public var profile: UserProfile
    /// Every card the user was given.
    public var deliveries: [Delivery]
    /// The user's history; only the parts that ``AudienceNeeds/parts`` names have to be there.
    public var history: UserHistory
    /// The moment.
    public var now: UnixTime
    /// The IANA time zone whose days count where the user's is unknown.
    public var workspaceZone: String
    /// The work that the conditions asked of these facts can take.
    var patterns = PatternWork.each
    /// The places of the cards, where many conditions are asked.
    var cardPlaces: CardPlaces?

    /// Takes a user as a store has them.
    public init(_ user: UserState, at now: UnixTime, workspaceZone: String = "UTC") {
        profile = user.profile
        deliveries = user.deliveries
        history = user.history
        self.now = now
        self.workspaceZone = workspaceZone
    }

    /// The time zone of the user's days.
    public var timeZone: TimeZone {
        profile.value(of: .timeZone)?.string.flatMap(KnownZones.zone(named:))
            ?? KnownZones.zone(named: workspaceZone) ?? .gmt
    }
}

/// A window at a moment: what it takes in, and until when.
enum OpenWindow {
    case ever
    case seconds(Double, now: UnixTime)
    case since(UnixTime, until: UnixTime, now: UnixTime)

    init(_ window: TimeWindow?, of facts: UserFacts) {
        switch window {
        case nil: self = .ever
        case .days(let days): self = .seconds(days * secondsPerDay, now: facts.now)
        case .calendarDays(let days):
            let calendar = LocalDays(facts.timeZone)
            let today = calendar.number(at: facts.now)
            // safe: days of 32 bits, and at most 36,525
            self = .since(calendar.start(of: today - days + 1), until: calendar.start(of: today + 1), now: facts.now)
        }
    }

    func includes(_ time: UnixTime) -> Bool {
        switch self {
        case .ever: true
        case .seconds(let seconds, let now): time <= now && time + seconds > now
        case .since(let start, _, let now): time <= now && time >= start
        }
    }

    /// Whether a time is still to come, which devices can say: it is taken in from then on.
    func awaits(_ time: UnixTime) -> Bool {
        switch self {
        case .ever: false
        case .seconds(_, let now), .since(_, _, let now): time > now
        }
    }

    /// Returns the earliest time at which something that is included can leave.
    func end(of time: UnixTime) -> UnixTime {
        switch self {
        case .ever: .infinity
        case .seconds(let seconds, _): time + seconds
        case .since(_, let until, _): until
        }
    }
}

let secondsPerDay = 86_400.0

/// The days of a time zone, numbered from 1970-01-01.
struct LocalDays {
    private let zone: TimeZone

    init(_ zone: TimeZone) { self.zone = zone }

    // bounded: days of 32 bits
    func number(at time: UnixTime) -> Int {
        Int(Int32(saturating: ((time + offset(at: time)) / secondsPerDay).rounded(.down)))
    }

    /// The first moment of a day, which is not midnight where the clock passes over that.
    func start(of day: Int) -> UnixTime {
        let midnight = Double(day) * secondsPerDay
        // The clock changes at most once in the days around, so it is one of the offsets before and after.
        let before = midnight - offset(at: midnight - secondsPerDay)
        let after = midnight - offset(at: midnight + secondsPerDay)
        let earlier = min(before, after)
        return number(at: earlier) == day ? earlier : max(before, after)
    }

    private func offset(at time: UnixTime) -> Double {
        Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: time)))
    }
}
