import Foundation

/// Delays that double from one failure to the next, with jitter, so that devices which failed together do not come
/// back together.
struct Backoff: Sendable, Equatable {
    var base: TimeInterval = 1
    var limit: TimeInterval = 300
    private(set) var failures = 0

    /// Counts a failure and returns the seconds to wait: between half of the full delay and all of it.
    ///
    /// - Parameter random: a number from 0 up to 1.
    /// - Returns: seconds.
    mutating func fail(random: Double) -> TimeInterval {
        let full = min(limit, base * pow(2, Double(min(failures, 30))))
        // safe: each one takes half a second or more
        failures += 1
        return full * (0.5 + 0.5 * min(max(random, 0), 1))
    }

    mutating func succeed() {
        failures = 0
    }
}

/// Reads the header `Retry-After`.
enum RetryAfter {
    private static let longest: TimeInterval = 86_400

    /// Returns seconds, from a number of seconds or from an HTTP date; `nil` if it is neither.
    ///
    /// At most a day, so that a wrong header cannot silence a device for good.
    static func seconds(_ header: String?, at now: Date) -> TimeInterval? {
        guard let text = header?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if let number = Double(text) { return number.isFinite && number >= 0 ? min(number, longest) : nil }
        return date(text).map { min(max(0, $0.timeIntervalSince(now)), longest) }
    }

    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text)
    }
}
