/// Reads dates as people and programs write them: `2026-03-14T15:09:26+09:00`, `March 14, 2026 3:09 pm`, `14 Mar 2026`.
struct DateParser {
    private let words: [Word]
    private let now: CivilDate
    private var year: Int?
    private var month: Int?
    private var day: Int?
    private var hour: Int?
    private var minute = 0
    private var second = 0.0
    private var offset = 0

    /// A run of letters, of digits, or one sign.
    private enum Word: Equatable {
        case letters(String)
        case digits(String)
        case sign(UInt8)
        case space
    }

    /// `text` is in lower case.
    init(_ text: String, now: LiquidDate) {
        words = Self.words(text.bytes)
        self.now = CivilDate(now)
    }

    private static func words(_ bytes: [UInt8]) -> [Word] {
        var words: [Word] = []
        var place = 0
        while place < bytes.count {
            let start = place
            if bytes[place].isDigit {
                while place < bytes.count, bytes[place].isDigit { place += 1 }
                words.append(.digits(String(bytes: bytes[start..<place])))
            } else if bytes[place].isLetter {
                while place < bytes.count, bytes[place].isLetter { place += 1 }
                words.append(.letters(String(bytes: bytes[start..<place])))
            } else {
                words.append(bytes[place].isLiquidSpace ? .space : .sign(bytes[place]))
                place += 1
            }
        }
        return words
    }

    mutating func date() -> LiquidDate? {
        var place = 0
        while place < words.count {
            let next = readTime(at: place) ?? readDate(at: place) ?? readWord(at: place)
            place = max(next ?? place + 1, place + 1)
        }
        guard year != nil || month != nil || day != nil || hour != nil else { return nil }
        let hasDate = year != nil || month != nil || day != nil
        let year = year ?? now.year
        let month = month ?? (hasDate ? (self.year == nil ? now.month : 1) : now.month)
        let day = day ?? (hasDate ? 1 : now.day)
        // safe: a month has 28 days or more
        guard (1...12).contains(month), (1...LiquidDate.daysInMonth(month, of: year)).contains(day) else { return nil }
        guard (0...24).contains(hour ?? 0), (0...59).contains(minute), second < 61 else { return nil }
        // The 24th hour is the end of a day and has no minutes.
        guard hour != 24 || (minute == 0 && second == 0) else { return nil }
        return LiquidDate(
            year: year,
            month: month,
            day: day,
            hour: hour ?? 0,
            minute: minute,
            second: second,
            offset: offset
        )
    }

    // bounded: nine digits at most
    private func digits(_ place: Int) -> Int? {
        guard words.indices.contains(place), case .digits(let text) = words[place], text.utf8.count <= 9 else {
            return nil
        }
        // safe: nine digits at most
        return Int(text)
    }

    private func length(_ place: Int) -> Int {
        guard words.indices.contains(place), case .digits(let text) = words[place] else { return 0 }
        return text.utf8.count
    }

    private func isSign(_ sign: Unicode.Scalar, _ place: Int) -> Bool {
        words.indices.contains(place) && words[place] == .sign(UInt8(ascii: sign))
    }

    /// `15:09`, `15:09:26.5`, `3pm`, each maybe with a zone.
    private mutating func readTime(at start: Int) -> Int? {
        guard let first = digits(start) else { return nil }
        var place = start + 1
        if isSign(":", place), let minutes = digits(place + 1) {
            (hour, minute) = (first, minutes)
            place += 2
            if isSign(":", place), let seconds = digits(place + 1) {
                second = Double(seconds)
                place += 2
                if isSign(".", place), case .digits(let fraction) = words[min(place + 1, words.count - 1)] {
                    second += Double("0." + fraction) ?? 0
                    place += 2
                }
            }
        }
        let isClock = place > start + 1
        var half = place
        while half < words.count, words[half] == .space { half += 1 }
        if half < words.count, case .letters(let text) = words[half], text == "am" || text == "pm" {
            hour = first % 12 + (text == "pm" ? 12 : 0)
            return readZone(at: half + 1)
        }
        return isClock ? readZone(at: place) : nil
    }

    private mutating func readZone(at start: Int) -> Int {
        var place = start
        while place < words.count, words[place] == .space { place += 1 }
        guard place < words.count else { return start }
        if case .letters(let name) = words[place], let known = Self.zones[name] {
            offset = known
            place += 1
            guard isSign("+", place) || isSign("-", place) else { return place }
        }
        guard isSign("+", place) || isSign("-", place), let value = digits(place + 1) else { return max(start, place) }
        var seconds = value * 3_600
        var end = place + 2
        if length(place + 1) == 4 { seconds = value / 100 * 3_600 + value % 100 * 60 }
        if isSign(":", end), let minutes = digits(end + 1) {
            seconds += minutes * 60
            end += 2
        }
        // What is more than a day is no offset.
        if LiquidDate.bounded(offset: seconds) == seconds { offset = isSign("-", place) ? -seconds : seconds }
        return end
    }

    private static let zones = [
        "z": 0, "utc": 0, "gmt": 0, "est": -18_000, "edt": -14_400, "cst": -21_600, "cdt": -18_000, "mst": -25_200,
        "mdt": -21_600, "pst": -28_800, "pdt": -25_200, "jst": 32_400, "cet": 3_600, "cest": 7_200, "bst": 3_600,
    ]

    /// `2026-03-14`, `2026/3/14`, `14/03/2026`, `14.3.2026`, `20260314`.
    private mutating func readDate(at start: Int) -> Int? {
        guard year == nil || month == nil, let first = digits(start) else { return nil }
        if length(start) == 8 {
            (year, month, day) = (first / 10_000, first / 100 % 100, first % 100)
            let next = skippingMark(start + 1)
            guard next > start + 1, length(next) == 6, let time = digits(next) else { return next }
            (hour, minute, second) = (time / 10_000, time / 100 % 100, Double(time % 100))
            return readZone(at: next + 1)
        }
        for sign in ["-", "/", "."] as [Unicode.Scalar] {
            guard isSign(sign, start + 1), let second = digits(start + 2) else { continue }
            if isSign(sign, start + 3), let third = digits(start + 4) {
                let yearLeads = length(start) > 2
                year = yearLeads ? first : full(third, length(start + 4))
                (month, day) = (second, yearLeads ? third : first)
                return skippingMark(start + 5)
            }
            if length(start) == 4 {
                (year, month) = (first, second)
                return start + 3
            }
        }
        return nil
    }

    /// Past the `t` between a date and a time.
    private func skippingMark(_ place: Int) -> Int {
        words.indices.contains(place) && words[place] == .letters("t") ? place + 1 : place
    }

    private func full(_ year: Int, _ digits: Int) -> Int {
        digits > 2 ? year : year < 69 ? 2_000 + year : 1_900 + year
    }

    /// Whether letters that mean nothing stand right beside a number, as in `1e3`; `2nd` and `14mar` are fine.
    private func isGlued(_ place: Int) -> Bool {
        [place - 1, place + 1].contains { neighbour in
            guard words.indices.contains(neighbour), case .letters(let text) = words[neighbour] else { return false }
            return !Self.suffixes.contains(text) && !Self.months.contains { text.hasPrefix($0) }
        }
    }

    private static let suffixes: Set = ["st", "nd", "rd", "th", "t", "z"]
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// A month by name, or a number that is a day or, when it is long or the day is known, a year.
    private mutating func readWord(at place: Int) -> Int? {
        // safe: asked at places of the words
        switch words[place] {
        case .letters(let text):
            if month == nil, text.utf8.count >= 3, let index = Self.months.firstIndex(of: String(text.prefix(3))) {
                month = index + 1
            }
            return nil
        case .digits:
            guard let number = digits(place), !isGlued(place) else { return nil }
            if length(place) >= 3 || (day != nil && month != nil) {
                if year == nil { year = full(number, length(place)) }
            } else if day == nil {
                day = number
            }
            return nil
        default: return nil
        }
    }
}
