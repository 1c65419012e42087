import CardModel
import Foundation
import WireJSON

/// Tells on which days a moment counts: in UTC and in the workspace's time zone.
///
/// Asking Foundation for an offset costs more than storing an event. Zones change their offset on a quarter of an hour,
/// so one answer holds for the whole quarter.
struct DayCalendar {
    private static let quarter = 900.0
    /// Events arrive from some 400 days, nearly all from one; the rest may ask again.
    private static let rememberedQuarters = 4096

    private var zone = TimeZone.gmt
    private var identifier = ""
    private var offsets: [Int64: Int] = [:]

    /// Takes over the workspace's time zone.
    mutating func follow(zone identifier: String) {
        guard !identifier.hasSameBytes(as: self.identifier) else { return }
        zone = TimeZone(identifier: identifier) ?? .gmt
        offsets = [:]
        self.identifier = identifier
    }

    /// The days of a moment.
    mutating func day(of time: UnixTime) -> CountingDay {
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
