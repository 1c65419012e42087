#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tells templates the time.
public struct LiquidCalendar: Sendable {
    /// The moment that `now` means, in seconds since 1970.
    public var now: @Sendable () -> Double
    /// The offset from UTC in seconds of a time zone at a moment in seconds since 1970; `nil` for an unknown zone.
    public var offset: @Sendable (_ zone: String, _ seconds: Double) -> Int?

    /// The offset from UTC in seconds in which a moment is shown whose own is not said, at that moment.
    public var homeOffset: @Sendable (_ seconds: Double) -> Int = { _ in 0 }

    /// Creates a calendar.
    ///
    /// By default it reads the clock of the system, knows UTC alone and shows moments in it.
    public init(
        now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 },
        offset: @escaping @Sendable (_ zone: String, _ seconds: Double) -> Int? = { zone, _ in
            ["UTC", "Etc/UTC", "GMT"].contains(zone) ? 0 : nil
        }
    ) {
        self.now = now
        self.offset = offset
    }

    /// Returns a moment as it is shown at home.
    func home(_ seconds: Double) -> LiquidDate {
        // A clock is asked for no moment that it could not tell.
        LiquidDate(seconds: seconds, offset: homeOffset(LiquidDate.bounded(seconds)))
    }
}

/// A moment and the offset from UTC in which it is shown.
public struct LiquidDate: Sendable, Hashable {
    /// Seconds since 1970 in UTC.
    public var seconds: Double
    /// The offset from UTC in seconds.
    public var offset: Int

    /// Creates a date.
    public init(seconds: Double, offset: Int = 0) {
        self.seconds = seconds
        self.offset = offset
    }

    // safe: a date that was read has nine digits at most, and an offset lies within a day
    /// Creates a date from its parts on the proleptic Gregorian calendar.
    init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Double = 0, offset: Int = 0) {
        let days = Self.days(year: year, month: month, day: day)
        seconds = Double(days) * 86_400 + Double(hour * 3_600 + minute * 60 - offset) + second
        self.offset = offset
    }

    // safe: a year has nine digits at most
    /// Days since 1970 of a date, counted in eras of 400 years that begin in March.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The moment, or the nearest one that a calendar can show; what is no number is 1970.
    ///
    /// Ten thousand years on either side keep every part of a date within its digits.
    static func bounded(_ seconds: Double) -> Double {
        seconds.isNaN ? 0 : min(max(seconds, -3e11), 3e11)
    }

    /// The offset, or the nearest one that a clock can have.
    static func bounded(offset: Int) -> Int {
        min(max(offset, -86_399), 86_399)
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        // safe: from 1 to 12
        [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

/// The parts of a moment on the calendar.
struct CivilDate {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int
    let nanosecond: Int
    /// 0 for Sunday.
    let weekday: Int
    /// 1 for the first of January.
    let dayOfYear: Int

    // safe: twenty thousand years of microseconds fit
    init(_ date: LiquidDate) {
        // A double holds today's seconds to less than a microsecond.
        let micros = (LiquidDate.bounded(date.seconds) * 1e6).rounded()
        let whole = (micros / 1e6).rounded(.down)
        nanosecond = min(max(Int(micros - whole * 1e6), 0), 999_999) * 1_000
        let local = Int(whole) + LiquidDate.bounded(offset: date.offset)
        let days = (local >= 0 ? local : local - 86_399) / 86_400
        let rest = local - days * 86_400
        (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
        weekday = ((days + 4) % 7 + 7) % 7
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayFromMarch = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayFromMarch + 2) / 153
        day = dayFromMarch - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        dayOfYear = days - LiquidDate.days(year: year, month: 1, day: 1) + 1
    }

    // safe: a year has six digits at most
    /// The ISO year and week.
    var isoWeek: (year: Int, week: Int) {
        let isoWeekday = (weekday + 6) % 7 + 1
        let week = (dayOfYear - isoWeekday + 10) / 7
        if week < 1 { return (year - 1, Self.weeks(in: year - 1)) }
        if week > Self.weeks(in: year) { return (year + 1, 1) }
        return (year, week)
    }

    // safe: a year has six digits at most
    private static func weeks(in year: Int) -> Int {
        let first = ((LiquidDate.days(year: year, month: 1, day: 1) + 4) % 7 + 7) % 7
        return first == 4 || (first == 3 && LiquidDate.isLeap(year)) ? 53 : 52
    }
}
