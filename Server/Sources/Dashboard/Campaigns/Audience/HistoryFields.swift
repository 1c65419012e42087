import CardModel
import OrderedCollections
import WireJSON

/// The fields of what a user did: what is asked and how it compares are one `test`, such as `count:less_than`.
struct HistoryFields: Sendable {
    typealias Comparison = AttributeClause.Comparison

    /// It was done at all, or never.
    static let once = "once"
    static let never = "never"

    let times: DraftTimes

    static func takesTime(_ test: String) -> Bool { test.hasSuffix(":before") || test.hasSuffix(":after") }

    func fields(of json: JSONValue, kind: String) -> JSONValue {
        let measure = json[.measure]?.string ?? "count"
        let comparison = json[.comparison]?.string ?? Comparison.greaterThanOrEqual.rawValue
        let value = json[.value] ?? .null
        var test = "\(measure):\(comparison)"
        if measure == "count", comparison == "greater_than_or_equal_to", (value.double ?? 1) == 1 { test = Self.once }
        if measure == "count", comparison == "equals", value.double == 0 { test = Self.never }
        let hasValue = test != Self.once && test != Self.never
        var members: JSONObject = [
            "kind": .string(kind), "name": .string(json[.name]?.string ?? json.value(.productID)),
            "test": .string(test), "currency": .string(json.value(.currency)),
        ]
        if Self.takesTime(test) {
            members[.time] = .string(times.field(ofMoment: value))
        } else {
            members[.value] = .string(hasValue ? value.fieldText : "")
        }
        TimeWindowFields.write(json, to: &members)
        return .object(members)
    }

    func json(_ fields: JSONValue, kind: String) -> JSONValue {
        var members: JSONObject = [:]
        let name = fields.text(.name)
        if kind == "event" { members[.name] = .string(fields.trimmed(.name)) }
        if kind == "purchase", let name { members[.productID] = .string(name) }
        let test = fields.text(.test) ?? Self.once
        switch test {
        case Self.once: break
        case Self.never:
            members[.comparison] = "equals"
            members[.value] = 0
        default:
            // Whoever sends the form may send colons alone.
            let parts = test.split(at: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let measure = parts.first ?? test
            members[.measure] = .string(measure)
            if measure == "revenue" { members[.currency] = fields.text(.currency).map(JSONValue.string) }
            members[.comparison] = .string(parts.count > 1 ? parts[1] : "")
            if Self.takesTime(test) {
                members[.value] = fields.text(.time).map { times.value($0, isLocal: false) }
            } else if !test.hasSuffix("exist"), !test.hasSuffix("exists") {
                members[.value] = fields.text(.value).map(TypedNumber.json)
            }
        }
        let isOfTime = test.hasPrefix("first:") || test.hasPrefix("last:")
        if !isOfTime { TimeWindowFields.read(fields, to: &members) }
        return .object(members)
    }
}
