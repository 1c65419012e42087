import Foundation
import Synchronization
import WireJSON

/// A clock on a wall in one time zone, with the changes to and from daylight saving time.
public struct TimeZoneClock: Sendable, Hashable {
    /// A clock that shows UTC.
    public static let utc = TimeZoneClock(.gmt)

    private let zone: TimeZone

    private init(_ zone: TimeZone) { self.zone = zone }

    /// Creates a clock for an IANA name such as `Asia/Tokyo`, or returns `nil` where there is no such zone.
    public init?(named name: String) {
        guard let zone = KnownZones.zone(named: name) else { return nil }
        self.zone = zone
    }

    /// Returns the number of seconds by which the clock is ahead of UTC at a moment.
    public func offset(at time: UnixTime) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: time))
    }

    /// Returns the local time that the clock shows at a moment.
    public func local(at time: UnixTime) -> LocalTime { LocalTime(seconds: time + Double(offset(at: time))) }

    /// The moment at which the clock shows a time.
    ///
    /// A time that the clock shows twice, when daylight saving ends, is the first of the two moments. One that it
    /// passes over, when daylight saving begins, is as long after the jump as it would have been after the hour before.
    public func moment(of local: LocalTime) -> UnixTime {
        // No zone changes its offset twice within two days.
        let before = Double(offset(at: local.seconds - 86_400))
        let after = Double(offset(at: local.seconds + 86_400))
        let candidates = [local.seconds - before, local.seconds - after].sorted()
        return candidates.first { self.local(at: $0) == local } ?? local.seconds - before
    }

    /// The second from which on the clock shows another offset than at the beginning of a part of a day, or `nil` where
    /// it still shows that one at the end.
    func offsetChange(in range: ClosedRange<UnixTime>) -> UnixTime? {
        let before = offset(at: range.lowerBound)
        guard offset(at: range.upperBound) != before else { return nil }
        var (same, other) = (range.lowerBound.rounded(.down), range.upperBound.rounded(.up))
        // A day has fewer than 2^17 seconds.
        for _ in 0..<18 where other - same > 1 {
            let middle = ((same + other) / 2).rounded(.down)
            if offset(at: middle) == before { same = middle } else { other = middle }
        }
        return other
    }
}

/// The zones that were asked for: looking one up costs more than deciding a feed.
enum KnownZones {
    /// There are some 600 names; what devices make up beyond those is not remembered for ever.
    private static let limit = 1_024
    private static let zones = Mutex<[ByteString: TimeZone]>([:])

    static func zone(named name: String) -> TimeZone? {
        if let zone = zones.withLock({ $0[ByteString(name)] }) { return zone }
        // Foundation looks at a name up to its first NUL, and calls what it doesn't know by such a name UTC.
        guard name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let zone = TimeZone(identifier: name),
            isOnEarth(zone)
        else { return nil }
        zones.withLock { zones in
            if zones.count >= limit { zones = [:] }
            zones[ByteString(name)] = zone
        }
        return zone
    }

    /// Whether a clock is within the bounds that all schedules go by: Foundation reads `GMT+18` too, which is nowhere.
    private static func isOnEarth(_ zone: TimeZone) -> Bool {
        let offset = Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: 0)))
        return offset >= -PlannedTime.furthestBehind && offset <= PlannedTime.furthestAhead
    }
}
