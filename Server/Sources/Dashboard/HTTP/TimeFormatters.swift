import CardModel
import Foundation
import Synchronization

/// The formatters of the times that pages have shown: making one takes a hundred times as long as using it.
final class TimeFormatters: Sendable {
    /// Those of all pages.
    static let shared = TimeFormatters()

    private struct FormatterKey: Hashable {
        let locale: String
        let zone: String
        let pattern: String
    }

    /// Pages have a few patterns in a few languages; zones are as many as users have.
    private let limit: Int
    private let formatters = Mutex<[FormatterKey: DateFormatter]>([:])

    /// Creates an empty collection.
    ///
    /// - Parameter limit: The most formatters that are kept.
    init(limit: Int = 256) { self.limit = limit }

    /// The number of formatters that are kept.
    var count: Int { formatters.withLock { $0.count } }

    /// Returns a time as text.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - zone: The IANA time zone that it is shown in; one that isn't known counts as UTC.
    ///   - pattern: The pattern, in the letters of Unicode.
    ///   - locale: The locale whose names of days and months are shown.
    /// - Returns: The text.
    func text(of time: UnixTime, in zone: String, _ pattern: String, _ locale: Locale) -> String {
        let key = FormatterKey(locale: locale.identifier, zone: zone, pattern: pattern)
        return formatters.withLock { known in
            if let formatter = known[key] { return formatter.string(from: Date(timeIntervalSince1970: time)) }
            let formatter = DateFormatter()
            formatter.locale = locale
            formatter.timeZone = TimeZone(identifier: zone) ?? .gmt
            formatter.dateFormat = pattern
            if known.count >= limit { known = [:] }
            known[key] = formatter
            return formatter.string(from: Date(timeIntervalSince1970: time))
        }
    }
}
