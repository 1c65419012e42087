import CardModel
import OrderedCollections
import WireJSON

/// An audience as fields of a form: each node has a `kind`, groups have `items`.
///
/// A condition that the form has no fields for is kept as JSON, to be read and changed as such.
enum AudienceFields {
    static let groups = ["all", "any", "none"]

    static func fields(of audience: JSONValue) -> JSONValue {
        // The form always shows a group, so that there is a place to add to.
        guard let (name, _) = audience.object?.elements.first else { return ["kind": "all"] }
        return groups.contains(name) ? node(audience) : ["kind": "all", "items": [node(audience)]]
    }

    private static func node(_ json: JSONValue) -> JSONValue {
        guard let members = json.object, let (name, value) = members.elements.first else { return ["kind": "all"] }
        func text(_ name: String) -> JSONValue { .string(value[name]?.fieldText ?? "") }
        switch name {
        case "all", "any", "none":
            return ["kind": .string(name), "items": .array((value.array ?? []).map(node))]
        case "attribute":
            return [
                "kind": "attribute", "name": .string(members["attribute"]?.string ?? ""),
                "comparison": .string(members["comparison"]?.string ?? "equals"),
                "value": .string(listText(members["value"] ?? .null)),
            ]
        case "users": return ["kind": "users", "value": .string(listText(value))]
        case "segment": return ["kind": "segment", "value": .string(value.string ?? "")]
        case "event" where isSimple(value, ["name", "within_days", "comparison", "value"]):
            return [
                "kind": "event", "name": text("name"), "days": text("within_days"),
                "comparison": .string(value["comparison"]?.string ?? ""), "value": text("value"),
            ]
        case "campaign" where isSimple(value, ["id", "contact", "within_days"]):
            return ["kind": "campaign", "name": text("id"), "comparison": text("contact"), "days": text("within_days")]
        case "random_bucket" where isSimple(value, ["from", "to"]):
            return ["kind": "random_bucket", "from": text("from"), "to": text("to")]
        default: return ["kind": "json", "value": .string(json.text)]
        }
    }

    private static func isSimple(_ value: JSONValue, _ names: Set<String>) -> Bool {
        value.object.map { $0.keys.allSatisfy(names.contains) } ?? false
    }

    private static func listText(_ value: JSONValue) -> String {
        value.array.map { $0.map(\.fieldText).joined(separator: ", ") } ?? value.fieldText
    }

    /// The audience as the API takes it; a group without conditions at the top is everybody.
    static func audience(of fields: JSONValue) -> JSONValue {
        let items = fields["items"]?.array ?? []
        return items.isEmpty ? .null : json(fields)
    }

    private static func json(_ fields: JSONValue) -> JSONValue {
        let kind = fields.text("kind") ?? "all"
        var members: OrderedDictionary<String, JSONValue> = [:]
        func set(_ name: String, _ field: String) {
            if let text = fields.text(field) { members[name] = .guessing(text) }
        }
        switch kind {
        case "attribute":
            let comparison = fields.text("comparison") ?? "equals"
            members["attribute"] = .string(fields.text("name") ?? "")
            members["comparison"] = .string(comparison)
            members["value"] = value(fields, comparison)
            return .object(members)
        case "users": return ["users": .array(list(fields["value"]?.string ?? "").map(JSONValue.string))]
        case "segment": return ["segment": .string(fields.text("value") ?? "")]
        case "event":
            members["name"] = .string(fields.text("name") ?? "")
            set("within_days", "days")
            if fields.text("comparison") != nil {
                set("comparison", "comparison")
                set("value", "value")
            }
            return ["event": .object(members)]
        case "campaign":
            members["id"] = .string(fields.text("name") ?? "")
            members["contact"] = .string(fields.text("comparison") ?? "received")
            set("within_days", "days")
            return ["campaign": .object(members)]
        case "random_bucket":
            set("from", "from")
            set("to", "to")
            return ["random_bucket": .object(members)]
        case "json": return fields["value"]?.string.flatMap { try? JSONValue(parsing: $0) } ?? .string("")
        default: return .object([kind: .array((fields["items"]?.array ?? []).map(json))])
        }
    }

    private static func value(_ fields: JSONValue, _ comparison: String) -> JSONValue? {
        if ["exists", "does_not_exist"].contains(comparison) { return nil }
        let text = fields["value"]?.string ?? ""
        if ["is_any_of", "is_none_of"].contains(comparison) { return .array(list(text).map(JSONValue.guessing)) }
        return .guessing(text.trimmingSpaces)
    }

    private static func list(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "," || $0 == "\n" }).map(\.trimmingSpaces).filter { !$0.isEmpty }
    }
}
