/// Filters that customer messaging adds.
///
/// Those that need cryptography or randomness are registered by the server.
enum MessagingFilters {
    /// The filter whose result can stand in a JSON string as it is.
    static let jsonEscapeName = "json_escape"

    static let all: [LiquidFilter] = [
        LiquidFilter("as_json_string", apply: json),
        LiquidFilter("id", arguments: 0...1) { $0.input },
        LiquidFilter(jsonEscapeName, weight: 4, apply: jsonEscape),
        LiquidFilter("json_parse", apply: jsonParse),
        LiquidFilter("number_with_delimiter", apply: numberWithDelimiter),
        LiquidFilter("property_accessor", arguments: 1...1, apply: propertyAccessor),
        LiquidFilter("time_zone", arguments: 1...1, apply: timeZone),
        LiquidFilter("url_escape", weight: 4, apply: urlEscape),
        LiquidFilter("url_param_escape", weight: 4, apply: urlParameterEscape),
    ]

    private static func json(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var output = call.sink
        try LiquidJSON.write(call.input, to: &output)
        return .string(output.text)
    }

    private static func jsonEscape(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var output = call.sink
        try LiquidJSON.escape(call.text, to: &output)
        return .string(output.text)
    }

    private static func jsonParse(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        do throws(LiquidError) {
            return try LiquidValue(json: call.text.utf8, call.meter)
        } catch {
            guard error.code == .invalidJSON else { throw error }
            throw LiquidError(.argument, "'json_parse' needs JSON.")
        }
    }

    private static func numberWithDelimiter(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let text = call.text.bytes
        let whole = text.prefix { $0 != UInt8(ascii: ".") }
        let digits = whole.first == UInt8(ascii: "-") ? whole.dropFirst() : whole
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return call.input }
        var output = call.sink
        // safe: a place in the text
        try output.append(text[..<digits.startIndex])
        for place in digits.indices {
            if place > digits.startIndex, (digits.endIndex - place) % 3 == 0 { try output.append(UInt8(ascii: ",")) }
            try output.append(digits[place])
        }
        try output.append(text[digits.endIndex...])
        return .string(output.text)
    }

    private static func propertyAccessor(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try call.spend(Work.lookup)
        return call.input.value(forKey: call.text(0)) ?? .null
    }

    private static func timeZone(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try call.spend(2 * Work.date)
        guard var date = call.calendar.date(call.input) else { return call.input }
        let zone = call.text(0)
        // No zone has a longer name, and looking one up takes many times its length.
        let offset = zone.utf8.count > 64 ? nil : call.calendar.offset(zone, LiquidDate.bounded(date.seconds))
        guard let offset else {
            throw LiquidError(.argument, "'time_zone' needs the name of a time zone, such as 'Europe/Paris'.")
        }
        date.offset = offset
        return .date(date)
    }

    private static func urlEscape(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        .string(try PercentCoding.address.encoded(call.text, into: call.sink))
    }

    private static func urlParameterEscape(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        .string(try PercentCoding.parameter.encoded(call.text, into: call.sink))
    }
}
