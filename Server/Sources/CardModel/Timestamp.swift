import Foundation
public import WireJSON

/// Reads and writes points in time as people and other systems spell them.
public enum Timestamp {
    /// The times that can be meant: from 1970 to the year 9999.
    public static let range: ClosedRange<UnixTime> = 0...253_402_300_799

    /// Takes Unix seconds, or an ISO 8601 date with or without time and zone (UTC where it has none).
    public static func unixTime(of value: JSONValue) -> UnixTime? {
        let time: UnixTime? =
            switch value {
            case .integer(let seconds): Double(seconds)
            case .number(let seconds): seconds
            case .string(let text): unixTime(of: text)
            default: nil
            }
        return time.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Takes an ISO 8601 date with or without time and zone (UTC where it has none).
    public static func unixTime(of text: String) -> UnixTime? {
        for strategy in strategies {
            if let date = try? Date(text, strategy: strategy) { return date.timeIntervalSince1970 }
        }
        return nil
    }

    /// The ISO 8601 spelling in UTC, whole seconds.
    public static func text(of time: UnixTime) -> String {
        Date(timeIntervalSince1970: time).formatted(.iso8601)
    }

    private static let strategies: [Date.ISO8601FormatStyle] = [
        .iso8601,
        Date.ISO8601FormatStyle(includingFractionalSeconds: true),
        Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day().time(includingFractionalSeconds: false),
        Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day(),
    ]
}
