import OrderedCollections
import WireJSON

/// A place in the fields of a form, such as `variants[0].card.extras[2]`.
struct FormPlace: Sendable {
    private let steps: [String]

    init(_ text: some StringProtocol) {
        let parts: [Substring] = String(text).split(atAnyOf: ".[]")
        steps = parts.prefix(60).map(String.init)
    }

    /// The last name on the way, which says what kind of list it is.
    var list: String { steps.last { Int($0) == nil } ?? "" }

    /// Returns the value at the place.
    func value(in fields: JSONValue) -> JSONValue? {
        steps.reduce(Optional(fields)) { value, step in
            guard let index = Int(step) else { return value?[step] }
            let items = value?.array ?? []
            return items.indices.contains(index) ? items[index] : nil
        }
    }

    /// The fields with something else there; `nil` takes it out of its list.
    func changing(_ fields: JSONValue, _ change: (JSONValue?) -> JSONValue?) -> JSONValue {
        Self.changing(fields, steps[...], change) ?? [:]
    }

    private static func changing(
        _ fields: JSONValue?,
        _ steps: ArraySlice<String>,
        _ change: (JSONValue?) -> JSONValue?
    ) -> JSONValue? {
        guard let step = steps.first else { return change(fields) }
        guard let index = Int(step) else {
            var members = fields?.object ?? [:]
            members[step] = changing(members[step], steps.dropFirst(), change)
            return .object(members)
        }
        var items = fields?.array ?? []
        guard items.indices.contains(index) else { return fields }
        if let changed = changing(items[index], steps.dropFirst(), change) {
            items[index] = changed
        } else {
            items.remove(at: index)
        }
        return .array(items)
    }
}
