import Foundation
public import WireJSON

/// Reads and writes points in time as people and other systems spell them.
public enum Timestamp {
    /// The times that can be meant: from 1970 to the year 9999.
    public static let range: ClosedRange<UnixTime> = 0...253_402_300_799

    /// Takes Unix seconds, or an ISO 8601 date with or without time and zone (UTC where it has none).
    ///
    /// - Returns: `nil` for anything else, and for a time outside ``range``.
    public static func unixTime(of value: JSONValue) -> UnixTime? {
        moment(of: value).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Takes an ISO 8601 date with or without time and zone (UTC where it has none), from the year 0 to 9999.
    ///
    /// The date has its dashes, and the time its colons; a space may stand for the `T`. What does not exist, such as
    /// February 30th, or goes on after the time is not taken.
    public static func unixTime(of text: String) -> UnixTime? {
        var text = text
        return text.withUTF8 { utf8 in
            var parser = TimestampParser(text: utf8)
            return parser.parse()
        }
    }

    /// Takes what ``unixTime(of:)-(JSONValue)`` takes, and times before 1970 too: people were born then.
    static func moment(of value: JSONValue) -> UnixTime? {
        if let text = value.string { unixTime(of: text) } else { value.double }
    }

    /// The ISO 8601 spelling in UTC, whole seconds, from the year 1 to 9999.
    ///
    /// What lies outside is the nearest of these, and what is no number is 1970: an audience may ask for any number.
    public static func text(of time: UnixTime) -> String {
        let time = time.isNaN ? 0 : min(max(time, beginning), range.upperBound)
        return Date(timeIntervalSince1970: time).formatted(.iso8601)
    }

    /// The beginning of the year 1.
    private static let beginning: UnixTime = -62_135_596_800
}

/// Reads one ISO 8601 date.
///
/// Foundation's parser passes over what follows the part it asked for, and over days and hours
/// that do not exist, so a mistyped start would be another one.
private struct TimestampParser {
    let text: UnsafeBufferPointer<UInt8>
    var index = 0

    mutating func parse() -> UnixTime? {
        guard let day = parseDay() else { return nil }
        // safe: a day of ten thousand years
        var seconds = Double(day * 86_400)
        if skip("T") || skip("t") || skip(" ") {
            guard let time = parseTime(), let offset = parseZone() else { return nil }
            seconds += time - Double(offset)
        }
        return index == text.count ? seconds : nil
    }

    // safe: a month has 28 days or more
    private mutating func parseDay() -> Int? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2), 1...12 ~= month, 1...Self.length(ofMonth: month, in: year) ~= day
        else { return nil }
        return Self.days(year, month, day)
    }

    // safe: two digits each
    private mutating func parseTime() -> Double? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), hour < 24, minute < 60
        else { return nil }
        var time = Double(hour * 3_600 + minute * 60)
        guard skip(":") else { return time }
        // A leap second counts as the first second of the next minute, as Unix time has it.
        guard let second = number(digits: 2), second <= 60 else { return nil }
        time += Double(second)
        guard skip(".") || skip(",") else { return time }
        guard let fraction = parseFraction() else { return nil }
        return time + fraction
    }

    private mutating func parseFraction() -> Double? {
        let start = index
        while let byte = next, 0x30...0x39 ~= byte { index += 1 }
        guard index > start else { return nil }
        return Double("0." + String(decoding: text[start..<index], as: UTF8.self))
    }

    /// The seconds that the zone is ahead of UTC.
    // safe: two digits each
    private mutating func parseZone() -> Int? {
        if next == nil || skip("Z") || skip("z") { return 0 }
        let isBehind = next == UInt8(ascii: "-")
        guard skip("+") || skip("-"), let hours = number(digits: 2), hours < 24 else { return nil }
        var minutes = 0
        if skip(":") || next != nil {
            guard let number = number(digits: 2), number < 60 else { return nil }
            minutes = number
        }
        let offset = hours * 3_600 + minutes * 60
        return isBehind ? -offset : offset
    }

    private var next: UInt8? { index < text.count ? text[index] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    // safe: four digits at most, and what is there was asked for
    private mutating func number(digits: Int) -> Int? {
        guard index + digits <= text.count else { return nil }
        var number = 0
        for byte in text[index..<index + digits] {
            guard 0x30...0x39 ~= byte else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        index += digits
        return number
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the Gregorian calendar, counted in years that start in March, so that the leap day is
    /// last.
    // safe: years of four digits
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = year - (month <= 2 ? 1 : 0) + 400
        let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era - 1) * 146_097 + dayOfEra - 719_468
    }
}
