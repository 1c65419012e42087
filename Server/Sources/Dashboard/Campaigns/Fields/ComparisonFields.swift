import CardModel
import OrderedCollections
import WireJSON

/// The fields of a comparison, as `comparison` with `value` or `time`.
struct ComparisonFields: Sendable {
    typealias Comparison = AttributeClause.Comparison

    static let withoutValue: Set<Comparison> = [.exists, .doesNotExist]
    static let withTime: Set<Comparison> = [.before, .after]
    static let withList: Set<Comparison> = [.isAnyOf, .isNoneOf]

    static func takesTime(_ name: String) -> Bool { Comparison(rawValue: name).map(withTime.contains) == true }

    let times: DraftTimes
    /// Whether what is compared is always a text, so that `42` is one too.
    var isText = false

    func fields(of members: JSONValue) -> JSONObject {
        let name = members[.comparison]?.string ?? Comparison.equals.rawValue
        var fields: JSONObject = ["comparison": .string(name)]
        guard let value = members[.value], !value.isNull else { return fields }
        if Self.takesTime(name) {
            fields[.time] = .string(times.field(ofMoment: value))
        } else {
            fields[.value] = .string(text(of: value))
        }
        return fields
    }

    private func text(of value: JSONValue) -> String {
        if isText, let text = value.string { return text }
        if isText, let items = value.array, items.allSatisfy({ $0.string.map(ValueText.hasSigns) == false }) {
            return items.compactMap(\.string).joined(separator: ", ")
        }
        return ValueText.list(of: value)
    }

    func write(_ fields: JSONValue, to members: inout JSONObject) {
        let name = fields.text(.comparison) ?? Comparison.equals.rawValue
        members[.comparison] = .string(name)
        members[.value] = Comparison(rawValue: name).flatMap { value(fields, $0) }
    }

    private func value(_ fields: JSONValue, _ comparison: Comparison) -> JSONValue? {
        if Self.withoutValue.contains(comparison) { return nil }
        if Self.withTime.contains(comparison) { return fields.text(.time).map { times.value($0, isLocal: false) } }
        let text = fields.value(.value)
        if Self.withList.contains(comparison) {
            let values = isText ? ValueText.texts(text).map(JSONValue.string) : ValueText.values(text)
            return values.isEmpty ? nil : .array(values)
        }
        if isText { return text.isEmpty ? nil : .string(text) }
        return ValueText.value(text)
    }
}
