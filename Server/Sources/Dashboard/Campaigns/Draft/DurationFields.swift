import WireJSON

/// A length of time as a number with a unit.
enum DurationFields {
    static let units: [(name: String, seconds: Double)] = [
        ("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1),
    ]

    /// The number in the largest unit of which it is a whole one.
    static func fields(of seconds: JSONValue?, unit usual: String) -> JSONValue {
        guard let seconds = seconds?.double else { return ["number": "", "unit": .string(usual)] }
        let unit =
            seconds == 0
            ? units.first { $0.name == usual }
            : units.first { (seconds / $0.seconds).rounded() * $0.seconds == seconds }
        let (name, length) = unit ?? ("seconds", 1)
        return ["number": .string((seconds / length).fieldText), "unit": .string(name)]
    }

    /// The seconds, what was typed where it is no number, or `nil` where nothing was.
    static func seconds(_ fields: JSONValue?) -> JSONValue? {
        guard let text = fields?.text(.number) else { return nil }
        let unit = units.first { $0.name == fields?.text(.unit) }?.seconds ?? 1
        return Double(TypedNumber.ascii(text)).map { .number($0 * unit) } ?? .string(text)
    }
}
