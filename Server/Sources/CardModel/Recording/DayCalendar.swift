import Foundation
import WireJSON

/// The days on which moments count: in UTC and in the workspace's time zone.
///
/// Asking Foundation for an offset costs more than storing an event. Zones change their offset on a quarter of an hour,
/// so one answer holds for the whole quarter.
public struct DayCalendar: Sendable {
    private static let quarter = 900.0
    /// Events arrive from some 400 days, nearly all from one; the rest may ask again.
    private static let rememberedQuarters = 4096

    private var zone = TimeZone.gmt
    private var identifier = ""
    private var offsets: [Int64: Int] = [:]

    /// Creates a calendar of a workspace in UTC.
    public init() {}

    /// Changes the workspace's time zone, an IANA name; one that isn't known counts as UTC.
    public mutating func follow(zone identifier: String) {
        guard !identifier.hasSameBytes(as: self.identifier) else { return }
        zone = TimeZone(identifier: identifier) ?? .gmt
        offsets = [:]
        self.identifier = identifier
    }

    /// Returns the days of a moment.
    public mutating func day(of time: UnixTime) -> CountingDay {
        CountingDay(utc: Day(of: time), local: Day(of: time, offset: offset(at: time)))
    }

    private mutating func offset(at time: UnixTime) -> Int {
        let quarter = Int64(saturating: (time / Self.quarter).rounded(.down))
        if let known = offsets[quarter] { return known }
        if offsets.count >= Self.rememberedQuarters { offsets = [:] }
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(quarter) * Self.quarter))
        offsets[quarter] = offset
        return offset
    }
}
