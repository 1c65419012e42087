/// Filters that customer messaging adds.
///
/// Those that need cryptography or randomness are registered by the server.
enum MessagingFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("as_json_string", apply: json),
        LiquidFilter("id", arguments: 0...1) { $0.input },
        LiquidFilter("json_escape", apply: jsonEscape),
        LiquidFilter("json_parse", apply: jsonParse),
        LiquidFilter("number_with_delimiter", apply: numberWithDelimiter),
        LiquidFilter("property_accessor", arguments: 1...1, apply: propertyAccessor),
        LiquidFilter("time_zone", arguments: 1...1, apply: timeZone),
        LiquidFilter("url_escape", apply: urlEscape),
        LiquidFilter("url_param_escape", apply: urlParameterEscape),
    ]

    private static func json(_ call: LiquidFilterCall) -> LiquidValue {
        var output: [UInt8] = []
        JSONWriter.write(call.input, to: &output)
        return .string(String(bytes: output))
    }

    private static func jsonEscape(_ call: LiquidFilterCall) -> LiquidValue {
        var output: [UInt8] = []
        JSONWriter.escape(call.text, to: &output)
        return .string(String(bytes: output))
    }

    private static func jsonParse(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        do throws(LiquidError) {
            return try LiquidValue(json: call.text.utf8)
        } catch {
            throw LiquidError(.argument, "'json_parse' needs JSON.")
        }
    }

    private static func numberWithDelimiter(_ call: LiquidFilterCall) -> LiquidValue {
        let text = call.text
        let whole = text.prefix { $0 != "." }
        let digits = whole.hasPrefix("-") ? whole.dropFirst() : whole
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return call.input }
        var grouped = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { grouped.append(",") }
            grouped.append(digit)
        }
        return .string((whole.hasPrefix("-") ? "-" : "") + grouped + text.dropFirst(whole.count))
    }

    private static func propertyAccessor(_ call: LiquidFilterCall) -> LiquidValue {
        call.input.value(forKey: call.text(0)) ?? .null
    }

    private static func timeZone(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard var date = call.calendar.date(call.input) else { return call.input }
        guard let offset = call.calendar.offset(call.text(0), LiquidDate.bounded(date.seconds)) else {
            throw LiquidError(.argument, "'time_zone' needs the name of a time zone, such as 'Europe/Paris'.")
        }
        date.offset = offset
        return .date(date)
    }

    private static func urlEscape(_ call: LiquidFilterCall) -> LiquidValue {
        .string(PercentCoding.encoded(call.text, keeping: Set("-_.~!*'();:@&=+$,/?#[]".utf8)))
    }

    private static func urlParameterEscape(_ call: LiquidFilterCall) -> LiquidValue {
        .string(PercentCoding.encoded(call.text, keeping: Set("-_.~".utf8)))
    }
}
