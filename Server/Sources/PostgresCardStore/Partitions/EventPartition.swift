import CardModel
import Foundation

/// A table of the log, for the events whose ids were made in some days.
///
/// The ids of events begin with the milliseconds at which they were made (UUID version 7), so all events of one id are
/// in one partition, and its index keeps them unique.
struct EventPartition: Hashable, Sendable {
    /// The first day, counted from 1970 in UTC.
    let start: Int64
    /// The day after the last one.
    let end: Int64

    /// The number of days after today for which there are partitions.
    static let daysAhead: Int64 = 7
    /// More partitions than about that many make every statement slower that isn't about certain ids.
    private static let wanted: Int64 = 45
    private static let longest: Int64 = 30

    /// The name of the table.
    var name: String { "events_\(Self.text(of: start, .omitted))" }
    /// The least id, as a literal.
    var lowerBound: String { Self.bound(start) }
    /// The least id that is too great, as a literal.
    var upperBound: String { Self.bound(end) }
    /// The first day, as `2026-11-23`.
    var day: String { Self.text(of: start, .dash) }
    /// The last day.
    // safe: the number of a day
    var lastDay: String { Self.text(of: end - 1, .dash) }
    /// The moment from which on no id belongs here.
    var endTime: UnixTime { Double(end) * 86_400 }

    /// The two partitions that hold the same days; none for a single day.
    var halves: [EventPartition] {
        // safe: numbers of days
        let middle = start + (end - start) / 2
        guard middle > start else { return [] }
        return [EventPartition(start: start, end: middle), EventPartition(start: middle, end: end)]
    }

    /// Returns the day of a moment.
    static func day(of time: UnixTime) -> Int64 { Int64(exactly: (time / 86_400).rounded(.down)) ?? 0 }

    /// Returns the number of days that a partition holds where events are kept for so many, or for ever.
    static func width(keeping days: Int?) -> Int64 {
        guard let days else { return longest }
        // safe: a number of days that settings allow
        return min(max(1, (Int64(days) + wanted - 1) / wanted), longest)
    }

    /// Returns the partitions that are missing.
    ///
    /// - Parameters:
    ///   - known: Those that there are.
    ///   - today: The present day.
    ///   - width: How many days a new one holds.
    /// - Returns: The partitions that, together with the others, hold every day from today to ``daysAhead`` days after
    ///   it.
    static func missing(beside known: [EventPartition], on today: Int64, width: Int64) -> [EventPartition] {
        var missing: [EventPartition] = []
        var day = today
        // safe: numbers of days
        while day <= today + daysAhead {
            if let partition = known.first(where: { $0.start <= day && day < $0.end }) {
                day = partition.end
                continue
            }
            let next = known.lazy.map(\.start).filter { $0 > day }.min() ?? .max
            // safe: the day is one of the next, and no partition is longer than the longest
            let partition = EventPartition(start: day, end: min(day + width, next))
            missing.append(partition)
            day = partition.end
        }
        return missing
    }

    // MARK: Bounds

    /// Reads the bounds as PostgreSQL shows them, or returns `nil` for those of another kind of partition.
    ///
    /// The first partition, of what was there before, has no beginning.
    init?(bounds: String) {
        // characters: bounds that the database writes
        let days = bounds.matches(of: /'\\x([0-9a-f]{12})'/).map { Self.day(ofBound: $0.1) }
        switch days.count {
        case 1 where bounds.contains("MINVALUE"): self.init(start: .min, end: days[0])
        case 2: self.init(start: days[0], end: days[1])
        default: return nil
        }
    }

    init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }

    private static func day(ofBound text: some StringProtocol) -> Int64 {
        (Int64(text, radix: 16) ?? 0) / 86_400_000
    }

    private static func bound(_ day: Int64) -> String {
        let digits = String(UInt64(clamping: day.multipliedReportingOverflow(by: 86_400_000).partialValue), radix: 16)
        return "\\x" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    private static func text(of day: Int64, _ separator: Date.ISO8601FormatStyle.DateSeparator) -> String {
        let date = Date(timeIntervalSince1970: Double(day) * 86_400)
        return date.formatted(.iso8601.year().month().day().dateSeparator(separator))
    }
}
