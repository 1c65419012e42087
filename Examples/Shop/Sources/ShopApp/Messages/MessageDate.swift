import Foundation

/// Writes when a message came, as short as it can be understood.
struct MessageDate {
    let locale: Locale
    let calendar: Calendar

    init(locale: Locale = Locale(identifier: "en_IE"), calendar: Calendar = .current) {
        self.locale = locale
        self.calendar = calendar
    }

    /// The time of today, "Yesterday", the day of this year, or the whole date.
    func text(_ date: Date, now: Date) -> String {
        let style = Date.FormatStyle(locale: locale, calendar: calendar, timeZone: calendar.timeZone)
        if calendar.isDate(date, inSameDayAs: now) { return date.formatted(style.hour().minute()) }
        if let day = calendar.date(byAdding: .day, value: -1, to: now), calendar.isDate(date, inSameDayAs: day) {
            return "Yesterday"
        }
        if calendar.isDate(date, equalTo: now, toGranularity: .year) {
            return date.formatted(style.day().month(.abbreviated))
        }
        return date.formatted(style.day(.twoDigits).month(.twoDigits).year(.twoDigits))
    }
}
