/// Filters for any kind of value.
enum GeneralFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("default", arguments: 0...1, keywords: ["allow_false"], apply: orDefault),
        LiquidFilter("size", apply: size),
        LiquidFilter("slice", arguments: 1...2, apply: slice),
        LiquidFilter("date", arguments: 1...1, apply: date),
    ]

    private static func orDefault(_ call: LiquidFilterCall) -> LiquidValue {
        let allowsFalse = call.keywords["allow_false"]?.isTruthy ?? false
        let isMissing = allowsFalse ? call.input.isNull : !call.input.isTruthy
        guard isMissing || call.input.isEmpty else { return call.input }
        return call.arguments.first ?? .string("")
    }

    private static func size(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        call.input.size ?? .int(0)
    }

    private static func slice(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let start = try call[0].integer()
        let length = call[1].isNull ? 1 : try call[1].integer()
        if case .array(let items) = call.input {
            guard let window = window(start, length, of: items.count) else { return .array([]) }
            var output = ListSink(call.meter)
            try output.append(contentsOf: Array(items[window]))
            return .array(output.items)
        }
        let text = call.text
        let scalars = text.unicodeScalars
        guard let window = window(start, length, of: scalars.count) else { return .string("") }
        // safe: within the scalars
        return .string(String(scalars.dropFirst(window.lowerBound).prefix(window.count)))
    }

    // safe: a negative start and a count cannot overflow, and the rest is compared
    private static func window(_ start: Int, _ length: Int, of count: Int) -> Range<Int>? {
        let first = start < 0 ? start + count : start
        guard first >= 0, first <= count, length >= 0 else { return nil }
        return first..<first + min(length, count - first)
    }

    private static func date(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let format = call.text(0)
        try call.spend(Work.date)
        guard !format.isEmpty, let date = call.calendar.date(call.input) else { return call.input }
        var output = call.sink
        try date.format(format, to: &output)
        return .string(output.text)
    }
}
