import Foundation

/// Reads dates of ISO 8601 as the server's checks do, so that what was checked before a launch means the same here.
///
/// `ISO8601DateFormatter` reads what a text begins with: of `2026-03-01 09:00` it would lose the time, and take
/// `2026-03-01x` for a day.
enum ISODate {
    /// Returns the time that a date means, with or without a time and a zone, UTC where it names none; `nil` for what
    /// doesn't exist, such as February 30th, and for what goes on after it.
    static func time(of text: String) -> Date? {
        var reader = ISODateReader(text)
        return reader.read().map { Date(timeIntervalSince1970: $0) }
    }
}

private struct ISODateReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func read() -> TimeInterval? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            let days = Self.days(year, month, day)
        else { return nil }
        // safe: days of ten thousand years
        var seconds = Double(days * 86_400)
        if skip("T") || skip("t") || skip(" ") {
            guard let time = readTime(), let offset = readOffset() else { return nil }
            seconds += time - offset
        }
        return index == bytes.count ? seconds : nil
    }

    // safe: two digits each
    private mutating func readTime() -> Double? {
        guard let hour = number(2), skip(":"), let minute = number(2), hour < 24, minute < 60 else { return nil }
        let time = Double(hour * 3_600 + minute * 60)
        guard skip(":") else { return time }
        // A leap second, 60, is the first of the next minute.
        guard let second = number(2), second <= 60 else { return nil }
        guard skip(".") || skip(",") else { return time + Double(second) }
        let start = index
        while let next, (0x30...0x39).contains(next) { index += 1 }
        // safe: the index only went up
        let digits = String(decoding: bytes[start..<index], as: UTF8.self)
        return digits.isEmpty ? nil : Double("\(second).\(digits)").map { time + $0 }
    }

    /// The seconds by which the zone is ahead of UTC.
    // safe: two digits each
    private mutating func readOffset() -> Double? {
        if next == nil || skip("Z") || skip("z") { return 0 }
        let isBehind = next == UInt8(ascii: "-")
        guard skip("+") || skip("-"), let hours = number(2), hours < 24 else { return nil }
        var minutes = 0
        if skip(":") || next != nil {
            guard let number = number(2), number < 60 else { return nil }
            minutes = number
        }
        let offset = Double(hours * 3_600 + minutes * 60)
        return isBehind ? -offset : offset
    }

    /// Days since 1970 in the Gregorian calendar, or `nil` where there is no such day.
    // safe: years of four digits, and a month of the year
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
        let years = year * 365 + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400
        return years + lengths.prefix(month - 1).reduce(0, +) + day - 1 - 719_528
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    // safe: it is below the count
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    // safe: four digits at most, and what is there was asked for
    private mutating func number(_ digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[index..<index + digits] {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        index += digits
        return number
    }
}
