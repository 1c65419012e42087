import CardModel
import Foundation
import WireJSON

/// Numbers and times as people read them.
enum PageFormatter {
    /// The nouns that are counted.
    enum Noun {
        case user
        case day
        case device
        case draft
        case campaign
        case recoveryCode
        case picture
    }

    /// Returns a value as a field or a cell shows it, which is empty where there is none.
    static func shown(_ value: (some CustomStringConvertible)?) -> String { value.map(\.description) ?? "" }

    /// `1,234`.
    static func count(_ number: Int64) -> String {
        number.formatted(.number.locale(TextCatalog.current.numberLocale))
    }

    /// `1 user`, `1,234 users`.
    static func counted(_ number: Int64, _ noun: Noun) -> String {
        let shown = count(number)
        return switch noun {
        case .user: number == 1 ? localized("\(shown) user") : localized("\(shown) users")
        case .day: number == 1 ? localized("\(shown) day") : localized("\(shown) days")
        case .device: number == 1 ? localized("\(shown) device") : localized("\(shown) devices")
        case .campaign: number == 1 ? localized("\(shown) campaign") : localized("\(shown) campaigns")
        case .draft: number == 1 ? localized("\(shown) draft") : localized("\(shown) drafts")
        case .recoveryCode: number == 1 ? localized("\(shown) recovery code") : localized("\(shown) recovery codes")
        case .picture: number == 1 ? localized("\(shown) picture") : localized("\(shown) pictures")
        }
    }

    /// Returns the beginning of a text that is longer than some characters, with an ellipsis.
    static func shortened(_ text: String, to length: Int) -> String {
        // safe: a length is at least 1
        text.count > length ? "\(text.prefix(length - 1))…" : text
    }

    /// `Summer, Winter`: names with what separates them in the language of the page.
    static func list(_ names: some Sequence<String>) -> String {
        names.reduce("") { $0.isEmpty ? $1 : localized("\($0), \($1)", in: "list") }
    }

    /// `Card: Title`: a text with what it is about.
    static func labeled(_ subject: String, _ text: String) -> String {
        localized("\(subject): \(text)", in: "subject")
    }

    /// `12 of 1,234 users`.
    static func part(_ number: Int64, of whole: Int64, _ noun: Noun) -> String {
        localized("\(count(number)) of \(counted(whole, noun))")
    }

    /// `987`, `12.3k`, `4.01M`: three digits in every language, without zeros at the end of a fraction.
    static func short(_ number: Int64) -> String {
        let unit = number < 10_000 ? nil : TextCatalog.current.units.first { $0.size <= number }
        guard let unit else { return count(number) }
        let shown = Double(number) / Double(unit.size)
        let style = FloatingPointFormatStyle<Double>.number.locale(TextCatalog.current.numberLocale)
        let text = shown < 100 ? style.precision(.significantDigits(1...3)) : style.precision(.fractionLength(0))
        return shown.formatted(text) + unit.suffix
    }

    static func decimal(_ number: Double, digits: Int) -> String {
        number.formatted(.number.precision(.fractionLength(digits)).locale(TextCatalog.current.numberLocale))
    }

    /// `¥1,980`, `€1,234.50`: an amount with as many decimals as its currency has.
    static func money(_ amount: Amount, _ currency: String) -> String {
        let decimal = Decimal(string: amount.description, locale: Locale(identifier: "en_US_POSIX")) ?? 0
        return decimal.formatted(.currency(code: currency).locale(TextCatalog.current.numberLocale))
    }

    /// `12.3%`, or a dash where there is nothing to divide by.
    static func rate(_ part: Int64, of whole: Int64) -> String {
        whole > 0 ? percent(min(1, Double(part) / Double(whole))) : "–"
    }

    static func percent(_ share: Double) -> String { decimal(share * 100, digits: abs(share) < 0.1 ? 2 : 1) + "%" }

    /// `+12.3%`, `−4.56%`: a change with its sign, unless it is shown as zero; without `digits`, it has as many as a
    /// rate.
    static func change(_ share: Double, digits: Int? = nil) -> String {
        let size = digits.map { decimal(abs(share) * 100, digits: $0) + "%" } ?? percent(abs(share))
        guard size.contains(where: { ("1"..."9").contains($0) }) else { return size }
        return (share < 0 ? "−" : "+") + size
    }

    /// `3 minutes`.
    static func duration(_ seconds: Double) -> String {
        let seconds = max(1, Int64(nearest: seconds.rounded(.up)))
        func number(_ unit: Double) -> Int64 { Int64(nearest: Double(seconds) / unit) }
        switch seconds {
        case 86_400...: return counted(number(86_400), .day)
        case 3_600...:
            let hours = number(3_600)
            return hours == 1 ? localized("\(hours) hour") : localized("\(hours) hours")
        case 60...:
            let minutes = number(60)
            return minutes == 1 ? localized("\(minutes) minute") : localized("\(minutes) minutes")
        default: return seconds == 1 ? localized("\(seconds) second") : localized("\(seconds) seconds")
        }
    }

    /// `3 minutes ago`, `in 2 days`.
    static func relative(_ time: UnixTime, to now: UnixTime) -> String {
        if abs(time - now) < 5 { return localized("just now") }
        return time < now ? localized("\(duration(now - time)) ago") : localized("in \(duration(time - now))")
    }

    /// `21 Nov 2026, 09:40` in a time zone.
    static func time(_ time: UnixTime, in zone: String) -> String {
        format(time, zone, localized("d MMM yyyy, HH:mm"))
    }

    /// The text with each ISO 8601 time in it as the workspace reads times.
    static func withTimes(_ text: String, for context: PageContext) -> String {
        // characters: a time that the server writes
        text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/) { match in
            Timestamp.unixTime(of: String(match.output)).map { time($0, in: context.timeZone) } ?? String(match.output)
        }
    }

    /// The text with each ISO 8601 time in it as it is in a time zone, which is named.
    static func withTimes(_ text: String, in zone: String, isUsers: Bool) -> String {
        // characters: a time that the server writes
        text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/) { match in
            guard let moment = Timestamp.unixTime(of: String(match.output)) else { return String(match.output) }
            let shown = time(moment, in: zone)
            return (isUsers ? localized("\(shown) in the user’s local time") : shown) + " (\(zone))"
        }
    }

    /// `21 Nov 2026`.
    static func date(_ day: Day) -> String {
        format(Double(day.number) * 86_400, "UTC", localized("d MMM yyyy"))
    }

    /// `21 Nov`.
    static func day(_ day: Day) -> String { format(Double(day.number) * 86_400, "UTC", localized("d MMM")) }

    static func format(_ time: UnixTime, _ zone: String, _ pattern: String) -> String {
        TimeFormatters.shared.text(of: time, in: zone, pattern, TextCatalog.current.locale)
    }
}

/// A moment as a page shows it.
struct TimeView {
    let iso: String
    let text: String
    /// The text with the time zone, for places where nothing else names it.
    let zoned: String
    let relative: String

    init(_ time: UnixTime, for context: PageContext) {
        iso = Timestamp.text(of: time)
        text = PageFormatter.time(time, in: context.timeZone)
        zoned = "\(text) (\(context.timeZone))"
        relative = PageFormatter.relative(time, to: context.now)
    }
}
