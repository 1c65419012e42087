import Foundation

/// Reads the dates of HTTP, RFC 9110, section 5.6.7.
///
/// `DateFormatter` isn't used for what comes from outside: on Linux it ends the process where what it could read of a
/// text ends within a character.
enum HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        return calendar
    }()

    /// Returns the time that a date in one of the three forms means, or `nil` where it is in none of them.
    ///
    /// Servers send `Sun, 15 Nov 2026 08:00:00 GMT`; `Sunday, 15-Nov-26 08:00:00 GMT` and `Sun Nov 15 08:00:00 2026`
    /// are the older forms. The name of the weekday isn't compared with the date.
    /// - Parameters:
    ///   - text: the date.
    ///   - now: the time of the device; a year of two digits is at most 50 years after it.
    /// - Returns: the time.
    static func time(of text: String, at now: Date) -> Date? {
        guard text.utf8.count <= 64, weekdays.contains(where: { text.hasPrefix($0) }) else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: " ")).dropFirst().map { String(Substring($0)) }
        if parts.count == 5, parts[4] == "GMT" {
            return time(day: parts[0], month: parts[1], year: number(parts[2], digits: 4...4), clock: parts[3])
        }
        if parts.count == 3, parts[2] == "GMT" {
            let day = parts[0].utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            guard day.count == 3, let year = number(day[2], digits: 2...2) else { return nil }
            return time(day: day[0], month: day[1], year: wholeYear(year, at: now), clock: parts[1])
        }
        guard parts.count == 4 else { return nil }
        return time(day: parts[1], month: parts[0], year: number(parts[3], digits: 4...4), clock: parts[2])
    }

    private static func time(day: String, month: String, year: Int?, clock: String) -> Date? {
        let clock = clock.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
            number(String(Substring($0)), digits: 2...2)
        }
        guard let day = number(day, digits: 1...2), let month = months.firstIndex(of: month), let year, year >= 1900,
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2], second <= 60
        else { return nil }
        let minutes = DateComponents(
            timeZone: calendar.timeZone,
            year: year,
            month: month + 1,
            day: day,
            hour: hour,
            minute: minute
        )
        guard minutes.isValidDate(in: calendar) else { return nil }
        // A leap second, 60, is the first of the next minute.
        return calendar.date(from: minutes)?.addingTimeInterval(Double(second))
    }

    private static func wholeYear(_ year: Int, at now: Date) -> Int {
        let current = min(max(calendar.component(.year, from: now), 1_970), 9_999)
        // safe: a year of four digits, and one of two
        let whole = current - current % 100 + year
        // safe: years of four digits
        return whole > current + 50 ? whole - 100 : whole
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
