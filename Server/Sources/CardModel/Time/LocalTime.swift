/// A date and time as a clock on the wall shows them, wherever that wall is.
public struct LocalTime: Sendable, Hashable, Comparable {
    /// The seconds since 1970 that the clock would show them at if it stood in UTC.
    public let seconds: Double

    /// Creates a time of its seconds, as ``seconds`` counts them.
    public init(seconds: Double) { self.seconds = seconds }

    /// Takes an ISO 8601 date, with or without a time, that names no zone; `nil` for anything else.
    public init?(_ text: String) {
        // characters: a time with marks in it is none
        let time = text.drop { $0 != "T" && $0 != "t" && $0 != " " }
        // The dashes of the date are no zone; those of the time are.
        // characters: a time with marks in it is none
        guard !time.contains(where: { "Zz+-".contains($0) }), let seconds = Timestamp.unixTime(of: text),
            Timestamp.range.contains(seconds)
        else { return nil }
        self.seconds = seconds
    }

    /// The ISO 8601 spelling without a zone, in whole seconds.
    public var text: String { String(Timestamp.text(of: seconds).dropLast()) }

    /// Orders times as one clock shows them.
    public static func < (left: LocalTime, right: LocalTime) -> Bool { left.seconds < right.seconds }
}

/// The time at which something is to happen: one moment for everybody, or when each user's clock shows a time.
public enum PlannedTime: Sendable, Hashable {
    /// At one moment for everybody.
    case at(UnixTime)
    /// That time in the user's local time.
    case local(LocalTime)

    /// The moment that it means where a clock stands; the clock is only looked up for a time of users' own clocks.
    public func moment(in zone: @autoclosure () -> TimeZoneClock) -> UnixTime {
        switch self {
        case .at(let time): time
        case .local(let time): zone().moment(of: time)
        }
    }

    /// The seconds by which the clock that is the furthest ahead of UTC is ahead: 14 hours.
    public static let furthestAhead = 50_400.0
    /// The seconds by which the clock that is the furthest behind UTC is behind: 12 hours.
    public static let furthestBehind = 43_200.0

    /// The first moment that it means anywhere on Earth.
    public var earliest: UnixTime {
        switch self {
        case .at(let time): time
        case .local(let time): time.seconds - Self.furthestAhead
        }
    }

    /// The last moment that it means anywhere on Earth.
    public var latest: UnixTime {
        switch self {
        case .at(let time): time
        case .local(let time): time.seconds + Self.furthestBehind
        }
    }

    /// Returns whether it has come by a moment, at least by the clock that is the furthest ahead.
    ///
    /// Until then, what was scheduled can be put off or canceled, and templates read nothing of it.
    public func isDue(by time: UnixTime) -> Bool { earliest <= time }
}
