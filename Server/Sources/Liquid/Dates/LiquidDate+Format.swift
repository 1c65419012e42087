extension LiquidDate {
    /// The date in the form of `strftime`, with its flags and widths; unknown directives stay as they are.
    public func format(_ pattern: String) -> String {
        var sink = TextSink()
        // Without a meter there is nothing that it could fail by.
        try? format(pattern, to: &sink)
        return sink.text
    }

    /// Appends the date in the form of `strftime`.
    func format(_ pattern: String, to output: inout TextSink) throws(LiquidError) {
        try DateFormatter(date: self).format(pattern.bytes, to: &output)
    }
}

/// Writes one date in one form.
private struct DateFormatter {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    let date: LiquidDate
    let civil: CivilDate

    init(date: LiquidDate) {
        self.date = date
        civil = CivilDate(date)
    }

    /// The style between the percent sign and the letter.
    struct Style {
        var isUnpadded = false
        var padding: UInt8?
        var isUppercase = false
        var isSwapped = false
        var colons = 0
        var width: Int?
    }

    func format(_ pattern: [UInt8], to output: inout TextSink) throws(LiquidError) {
        var place = 0
        while place < pattern.count {
            let start = place
            // safe: a place in the pattern
            while place < pattern.count, pattern[place] != UInt8(ascii: "%") { place += 1 }
            if place > start { try output.append(pattern[start..<place]) }
            if place < pattern.count { try part(of: pattern, &place, to: &output) }
        }
    }

    /// Appends what a percent sign and the letter after it stand for, or both as they are.
    private func part(
        of pattern: [UInt8],
        _ place: inout Int,
        to output: inout TextSink
    ) throws(LiquidError) {
        try output.spend(Work.datePart)
        let start = place
        // safe: a place in the pattern
        place += 1
        let style = style(pattern, &place)
        if place < pattern.count, let text = directive(pattern[place], style) {
            try output.append(styled(text, style))
        } else {
            place = min(place, pattern.count - 1)
            try output.append(pattern[start...place])
        }
        // safe: a place in the pattern
        place += 1
    }

    /// A form of this date that others are made of.
    private func formatted(_ pattern: String) -> String {
        var sink = TextSink()
        // Without a meter there is nothing that it could fail by.
        try? format(pattern.bytes, to: &sink)
        return sink.text
    }

    private func style(_ pattern: [UInt8], _ place: inout Int) -> Style {
        var style = Style()
        while place < pattern.count {
            switch pattern[place] {
            case UInt8(ascii: "-"): style.isUnpadded = true
            case UInt8(ascii: "0") where style.width == nil: style.padding = UInt8(ascii: "0")
            case UInt8(ascii: "_"): style.padding = UInt8(ascii: " ")
            case UInt8(ascii: "^"): style.isUppercase = true
            case UInt8(ascii: "#"): style.isSwapped = true
            case UInt8(ascii: ":"): style.colons += 1
            // safe: 200 at most, and a digit is below 10
            case let byte where byte.isDigit: style.width = min(200, (style.width ?? 0) * 10 + Int(byte - 0x30))
            default: return style
            }
            // safe: a place in the pattern
            place += 1
        }
        return style
    }

    private func styled(_ text: String, _ style: Style) -> [UInt8] {
        var text = text
        if style.isUppercase { text = text.uppercased() }
        if style.isSwapped { text = text == text.uppercased() ? text.lowercased() : text.uppercased() }
        let bytes = text.bytes
        guard let width = style.width, width > bytes.count, !style.isUnpadded else { return bytes }
        let isNumber = bytes.first?.isDigit ?? false
        let padding = style.padding ?? UInt8(ascii: isNumber ? "0" : " ")
        // safe: the width is larger than the count
        return Array(repeating: padding, count: width - bytes.count) + bytes
    }

    // safe: a width of 200 at most
    private func number(_ value: Int, _ digits: Int, _ style: Style, _ padding: UInt8 = UInt8(ascii: "0")) -> String {
        let text = String(value.magnitude)
        let width = style.width ?? digits
        let missing = style.isUnpadded ? 0 : max(0, width - text.utf8.count)
        let fill = String(bytes: Array(repeating: style.padding ?? padding, count: missing))
        return (value < 0 ? "-" : "") + fill + text
    }

    private func directive(_ letter: UInt8, _ style: Style) -> String? {
        day(letter, style) ?? time(letter, style) ?? compound(letter, style)
    }

    // safe: the parts of a date are within the calendar
    private func day(_ letter: UInt8, _ style: Style) -> String? {
        let space = UInt8(ascii: " ")
        switch Unicode.Scalar(letter) {
        case "Y": return number(civil.year, 4, style)
        case "C": return number(civil.year / 100, 2, style)
        case "y": return number(civil.year % 100, 2, style)
        case "m": return number(civil.month, 2, style)
        case "B": return Self.months[civil.month - 1]
        case "b", "h": return String(Self.months[civil.month - 1].prefix(3))
        case "d": return number(civil.day, 2, style)
        case "e": return number(civil.day, 2, style, space)
        case "j": return number(civil.dayOfYear, 3, style)
        case "A": return Self.weekdays[civil.weekday]
        case "a": return String(Self.weekdays[civil.weekday].prefix(3))
        case "u": return number(civil.weekday == 0 ? 7 : civil.weekday, 1, style)
        case "w": return number(civil.weekday, 1, style)
        case "G": return number(civil.isoWeek.year, 4, style)
        case "g": return number(civil.isoWeek.year % 100, 2, style)
        case "V": return number(civil.isoWeek.week, 2, style)
        case "U": return number((civil.dayOfYear + 6 - civil.weekday) / 7, 2, style)
        case "W": return number((civil.dayOfYear + 6 - (civil.weekday + 6) % 7) / 7, 2, style)
        default: return nil
        }
    }

    // safe: the parts of a date are within the calendar
    private func time(_ letter: UInt8, _ style: Style) -> String? {
        let space = UInt8(ascii: " ")
        let twelve = (civil.hour + 11) % 12 + 1
        switch Unicode.Scalar(letter) {
        case "H": return number(civil.hour, 2, style)
        case "k": return number(civil.hour, 2, style, space)
        case "I": return number(twelve, 2, style)
        case "l": return number(twelve, 2, style, space)
        case "P": return civil.hour < 12 ? "am" : "pm"
        case "p": return style.isSwapped ? (civil.hour < 12 ? "AM" : "PM") : civil.hour < 12 ? "AM" : "PM"
        case "M": return number(civil.minute, 2, style)
        case "S": return number(civil.second, 2, style)
        case "L": return fraction(style.width ?? 3)
        case "N": return fraction(style.width ?? 9)
        case "s": return String(Int(LiquidDate.bounded(date.seconds).rounded(.down)))
        case "z": return zone(style)
        case "Z": return date.offset == 0 ? "UTC" : zone(Style())
        default: return nil
        }
    }

    private func compound(_ letter: UInt8, _ style: Style) -> String? {
        switch Unicode.Scalar(letter) {
        case "c": return formatted("%a %b %e %T %Y")
        case "D", "x": return formatted("%m/%d/%y")
        case "F": return formatted("%Y-%m-%d")
        case "T", "X": return formatted("%H:%M:%S")
        case "R": return formatted("%H:%M")
        case "r": return formatted("%I:%M:%S %p")
        case "v": return formatted("%e-%^b-%Y")
        case "+": return formatted("%a %b %e %H:%M:%S %Z %Y")
        case "n": return "\n"
        case "t": return "\t"
        case "%": return "%"
        default: return nil
        }
    }

    // safe: nine digits at most, and a width of 200
    private func fraction(_ digits: Int) -> String {
        let text = String(civil.nanosecond)
        let nine = String(repeating: "0", count: 9 - text.utf8.count) + text
        return digits <= 9 ? String(nine.prefix(digits)) : nine + String(repeating: "0", count: digits - 9)
    }

    // safe: within a day
    private func zone(_ style: Style) -> String {
        let offset = LiquidDate.bounded(offset: date.offset)
        let minutes = abs(offset) / 60
        let text = number(minutes / 60, 2, Style()) + (style.colons > 0 ? ":" : "") + number(minutes % 60, 2, Style())
        return (offset < 0 ? "-" : "+") + text
            + (style.colons > 1 ? ":" + number(abs(offset) % 60, 2, Style()) : "")
    }
}
