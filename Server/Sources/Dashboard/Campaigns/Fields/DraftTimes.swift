import CardModel
import Foundation
import WireJSON

/// Times as fields of pages have them, `2026-11-21T09:40`, in the workspace's time zone.
struct DraftTimes: Sendable {
    let zone: String

    private func formatter(_ pattern: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zone) ?? .gmt
        formatter.dateFormat = pattern
        // An hour that clocks pass over in spring is the one after it.
        formatter.isLenient = true
        return formatter
    }

    private static let minutes = "yyyy-MM-dd'T'HH:mm"
    private static let seconds = "yyyy-MM-dd'T'HH:mm:ss"
    private static let characters = Set("0123456789-:T".utf8)

    /// A moment as a field shows it, or a user's own time as it stands.
    func field(_ value: JSONValue) -> String {
        if let text = value.string { return text.hasSuffix(":00") ? String(text.prefix(16)) : String(text.prefix(19)) }
        return value.double.map(field) ?? ""
    }

    private func field(_ time: Double) -> String {
        let hasSeconds = time.truncatingRemainder(dividingBy: 60) != 0
        return formatter(hasSeconds ? Self.seconds : Self.minutes).string(from: Date(timeIntervalSince1970: time))
    }

    /// A moment that an ISO 8601 text or a number tells, as a field shows it.
    func field(ofMoment value: JSONValue) -> String {
        let time = value.string.map { Timestamp.unixTime(of: $0) } ?? value.double
        return time.map(field) ?? ""
    }

    /// Returns what a field says, or the time that it was drawn for where nobody has touched it.
    ///
    /// Clocks that are set back show an hour twice, and a field has no part of a second: read again, it would be
    /// another time.
    func value(_ field: String?, isLocal: Bool, over base: JSONValue?) -> JSONValue {
        guard let field, let base, isLocal == (base.string != nil), self.field(base).hasSameBytes(as: field) else {
            return value(field, isLocal: isLocal)
        }
        return base
    }

    func value(_ field: String?, isLocal: Bool) -> JSONValue {
        guard let field else { return .null }
        if isLocal { return .string(field.utf8.count == 16 ? field + ":00" : field) }
        // On Linux, `DateFormatter` ends the process where what it could read of a text ends within a character.
        guard field.utf8.allSatisfy(Self.characters.contains) else { return .string(field) }
        let pattern = field.utf8.count > 16 ? Self.seconds : Self.minutes
        // plain: digits, hyphens, colons and T
        return formatter(pattern).date(from: field).map { .number($0.timeIntervalSince1970) } ?? .string(field)
    }
}

extension Double {
    /// The number as a field shows it: whole where it is.
    var fieldText: String { Int64(exactly: self).map { String($0) } ?? String(self) }
}
