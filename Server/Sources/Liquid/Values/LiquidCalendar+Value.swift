extension LiquidCalendar {
    private static let longestText = 128

    /// The date that a value means: seconds since 1970, `now`, `today`, or a date in words and figures.
    func date(_ value: LiquidValue) -> LiquidDate? {
        switch value {
        case .date(let date): return date
        case .int(let seconds): return home(Double(seconds))
        case .string(let text):
            // No date is longer, and reading one takes many times its length.
            guard text.utf8.count <= Self.longestText else { return nil }
            if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) { return Double(text).map(home) }
            let text = text.lowercased()
            if text == "now" || text == "today" { return home(now()) }
            var parser = DateParser(text, now: home(now()))
            return parser.date()
        default: return nil
        }
    }
}
