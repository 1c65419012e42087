import WireJSON

/// The time before this moment within which something has to have happened to count.
public enum TimeWindow: Sendable, Hashable {
    /// Within the last days of 24 hours each, up to this moment.
    case days(Double)
    /// On the last calendar days, 1 for today, in the user's time zone; in the workspace's where the user's is unknown.
    case calendarDays(Int)
}

extension TimeWindow {
    /// The members that say a window, as JSON Schema has them.
    static let schema: JSONObject = [
        "within_days": ["type": "number", "minimum": 0, "maximum": 36_525],
        "within_calendar_days": ["type": "integer", "minimum": 1, "maximum": 36_525],
    ]

    init?(_ fields: JSONFields) throws(ModelError) {
        let days = try fields.double("within_days", in: AttributeClause.days)
        let calendarDays = try fields.integer("within_calendar_days", in: 1...36_525)
        switch (days, calendarDays) {
        case (nil, nil): return nil
        case (let days?, nil): self = .days(days)
        // safe: at most 36,525
        case (nil, let days?): self = .calendarDays(Int(days))
        default: throw fields.invalid("within_calendar_days", "It does not go with within_days.")
        }
    }

    func write(to members: inout JSONObject) {
        switch self {
        case .days(let days): members["within_days"] = JSONValue(number: days)
        // safe: both have 64 bits
        case .calendarDays(let days): members["within_calendar_days"] = .integer(Int64(days))
        }
    }
}
