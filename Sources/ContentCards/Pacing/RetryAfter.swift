import Foundation

/// Reads the header `Retry-After`.
enum RetryAfter {
    /// The longest wait, so that a wrong header can't silence a device for good: a day.
    static let longest: TimeInterval = 86_400

    /// The longest time that devices which were told the same are spread over: five minutes.
    private static let longestSpread: TimeInterval = 300

    /// Returns the seconds that a header asks to wait, from a number or an HTTP date; `nil` if it is neither.
    ///
    /// At most a day, and 0 for a date that is over.
    /// - Parameters:
    ///   - header: the header `Retry-After`.
    ///   - date: the header `Date` of the same answer, against which a date counts where it can be read: the clock of
    ///     the device may be wrong.
    ///   - now: the time of the device.
    /// - Returns: seconds.
    static func seconds(_ header: String?, date: String? = nil, at now: Date) -> TimeInterval? {
        guard let text = header?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if let number = number(text) { return min(number, longest) }
        let origin = date.flatMap(self.date) ?? now
        return self.date(text).map { min(max(0, $0.timeIntervalSince(origin)), longest) }
    }

    /// Returns a wait that is never shorter than asked for, and up to a tenth longer, or a second where that is more:
    /// devices that were turned away together don't come back together.
    ///
    /// - Parameters:
    ///   - seconds: the wait that was asked for.
    ///   - random: a number from 0 up to 1.
    /// - Returns: seconds.
    static func spread(_ seconds: TimeInterval, random: Double) -> TimeInterval {
        seconds + min(max(seconds / 10, 1), longestSpread) * min(max(random, 0), 1)
    }

    /// Digits, perhaps with a fraction: `Double` alone would take `0x10`, `1e9` and `nan`, too.
    private static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }

    /// The three forms of RFC 9110, of which servers send the first.
    private static let formats = [
        "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ]

    private static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        let text = text.split(separator: " ").joined(separator: " ")
        for format in formats {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
