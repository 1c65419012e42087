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
        let origin = date.flatMap { HTTPDate.time(of: $0, at: now) } ?? now
        return HTTPDate.time(of: text, at: now).map { min(max(0, $0.timeIntervalSince(origin)), longest) }
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
}
