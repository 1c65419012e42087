import OrderedCollections
import WireJSON

extension HistoryClause {
    init(json: JSONValue, kind: String, at path: String) throws(ModelError) {
        var known: Set = ["measure", "comparison", "value", "within_days", "within_calendar_days"]
        switch kind {
        case "event": known.insert("name")
        case "purchase": known.formUnion(["product_id", "currency"])
        default: break
        }
        let fields = try JSONFields(json, at: path, known: known)
        let measure = try Measure(fields, isPurchase: kind == "purchase")
        let comparison = try Self.comparison(fields, measure)
        self.init(
            try HistorySubject(fields, kind: kind),
            measure,
            comparison,
            try Self.value(fields, measure, comparison),
            within: try TimeWindow(fields)
        )
        if case .revenue = measure { amount = try Self.amount(fields) }
        try check(fields)
    }

    private static func comparison(
        _ fields: JSONFields,
        _ measure: Measure
    ) throws(ModelError) -> AttributeClause.Comparison {
        guard fields["comparison"] != nil else {
            // To have done something at all needs neither comparison nor number.
            guard measure == .count, fields["value"] == nil else { throw fields.missing("comparison") }
            return .greaterThanOrEqual
        }
        let comparison = try AttributeClause.Comparison(fields, default: .equals)
        guard measure.comparisons.contains(comparison) else {
            let known = measure.comparisons.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("comparison", "Of \(measure.name) there is: \(known).")
        }
        return comparison
    }

    private static func value(
        _ fields: JSONFields,
        _ measure: Measure,
        _ comparison: AttributeClause.Comparison
    ) throws(ModelError) -> Double {
        switch comparison {
        case .exists, .doesNotExist:
            if fields["value"] != nil { throw fields.invalid("value", "This comparison takes no value.") }
            return 0
        case .before, .after:
            guard let value = fields["value"] else { throw fields.missing("value") }
            guard let time = Timestamp.moment(of: value) else {
                throw fields.invalid("value", "An ISO 8601 time or Unix seconds are expected.")
            }
            return time
        case .lessThanDaysAgo, .greaterThanDaysAgo:
            guard let days = try fields.double("value", in: AttributeClause.days) else { throw fields.missing("value") }
            return days
        default:
            if let value = try fields.double("value", in: 0...1e15) { return value }
            guard measure == .count, fields["comparison"] == nil else { throw fields.missing("value") }
            return 1
        }
    }

    private static func amount(_ fields: JSONFields) throws(ModelError) -> Amount {
        guard let amount = fields["value"]?.exact else {
            throw fields.invalid("value", "A number with at most nine decimals is expected.")
        }
        return amount
    }

    private func check(_ fields: JSONFields) throws(ModelError) {
        if case .count = measure {
            guard value == value.rounded() else { throw fields.invalid("value", "A whole number is expected.") }
            if window != nil, value > Self.largestCountInWindow {
                throw fields.invalid(
                    "value",
                    // safe: a constant
                    "Within days, at most \(Int(Self.largestCountInWindow)) can be counted."
                )
            }
        }
        if measure.isTime, window != nil {
            throw fields.invalid(
                fields["within_days"] == nil ? "within_calendar_days" : "within_days",
                "A window goes with count and revenue only."
            )
        }
    }

    var json: JSONValue {
        var members: JSONObject = [:]
        switch subject {
        case .event(let name): members["name"] = .string(name.text)
        case .purchase(let product): members["product_id"] = product.map { .string($0.text) }
        case .session: break
        }
        members["measure"] = .string(measure.name)
        if case .revenue(let currency) = measure { members["currency"] = .string(currency) }
        members["comparison"] = .string(comparison.rawValue)
        if comparison.takesValue { members["value"] = measure.isRevenue ? JSONValue(amount) : JSONValue(number: value) }
        window?.write(to: &members)
        switch subject {
        case .event: return ["event": .object(members)]
        case .purchase: return ["purchase": .object(members)]
        case .session: return ["session": .object(members)]
        }
    }
}

extension HistoryClause.HistorySubject {
    fileprivate init(_ fields: JSONFields, kind: String) throws(ModelError) {
        switch kind {
        case "event":
            let name = try fields.requiredString("name")
            guard IdentityText.isValid(name) else {
                throw fields.invalid("name", "An event's name has 1 to 255 bytes without control characters.")
            }
            self = .event(ByteString(name))
        case "purchase":
            let product = try fields.string("product_id")
            if let product, !IdentityText.isValid(product) {
                throw fields.invalid("product_id", "A product's id has 1 to 255 bytes without control characters.")
            }
            self = .purchase(product: product.map { ByteString($0) })
        default: self = .session
        }
    }
}

extension HistoryClause.Measure {
    fileprivate init(_ fields: JSONFields, isPurchase: Bool) throws(ModelError) {
        let currency = isPurchase ? try fields.string("currency") : nil
        switch try fields.string("measure") ?? "count" {
        case "count": self = .count
        case "first": self = .first
        case "last": self = .last
        case "revenue" where isPurchase:
            guard let currency else { throw fields.missing("currency") }
            guard let code = CurrencyCode.letters(currency) else {
                throw fields.invalid("currency", "Three letters, ISO 4217, are expected.")
            }
            self = .revenue(currency: code)
            return
        default:
            let known = isPurchase ? "count, first, last, revenue" : "count, first, last"
            throw fields.invalid("measure", "There is no such measure. Known: \(known).")
        }
        if currency != nil { throw fields.invalid("currency", "A currency goes with revenue only.") }
    }

    /// Whether it is an amount.
    var isRevenue: Bool { if case .revenue = self { true } else { false } }

    /// Whether it is a time and not a number.
    var isTime: Bool { self == .first || self == .last }
}
