import CardModel
import Foundation
import WireJSON

/// Points in time as backends write and read them.
enum BackendTime {
    /// The times that ``read(_:)`` takes, as errors say it.
    static let expected = "an ISO 8601 time such as 2027-01-31T09:00:00Z, or Unix seconds, from 1970 on"

    /// Takes an ISO 8601 date, or one with a colon before the milliseconds (`19:20:30:123Z`), or Unix seconds.
    static func read(_ value: JSONValue) -> UnixTime? {
        if let time = Timestamp.unixTime(of: value) { return time }
        guard let text = value.string, let colon = millisecondsColon(in: text) else { return nil }
        // safe: one place
        return Timestamp.unixTime(of: .string(text.replacingCharacters(in: colon...colon, with: ".")))
    }

    /// Takes an ISO 8601 date as clocks show it.
    ///
    /// A zone makes no difference: the documented examples name one.
    static func local(_ text: String) -> LocalTime? {
        if let time = LocalTime(text) { return time }
        // characters: a time with marks in it is none
        guard let start = text.firstIndex(where: { "Tt ".contains($0) }),
            let zone = text[start...].firstIndex(where: { "Zz+-".contains($0) }),
            read(.string(text)) != nil
        else { return nil }
        return LocalTime(String(text[..<zone]))
    }

    private static func millisecondsColon(in text: String) -> String.Index? {
        // characters: a time with marks in it is none
        let time = text.firstIndex { $0 == "T" || $0 == " " } ?? text.startIndex
        let colons = text[time...].indices.filter { text[$0] == ":" }
        // The zone may have a colon of its own, after its sign.
        // characters: a time with marks in it is none
        // safe: looked for from there on
        guard colons.count >= 3, !text[time..<colons[2]].contains(where: { $0 == "+" || $0 == "-" }) else { return nil }
        return colons[2]
    }

    /// The ISO 8601 spelling in UTC with milliseconds.
    static func text(_ time: UnixTime) -> String {
        let milliseconds = (time * 1000).rounded()
        let seconds = (milliseconds / 1000).rounded(.down)
        // Far from now, numbers with a fraction have no milliseconds.
        let rest = Int(saturating: milliseconds - seconds * 1000)
        let fraction = String(1000 + min(max(rest, 0), 999)).dropFirst()
        return "\(Timestamp.text(of: seconds).dropLast()).\(fraction)Z"
    }
}
