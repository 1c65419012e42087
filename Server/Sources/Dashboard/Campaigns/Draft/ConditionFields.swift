import OrderedCollections
import WireJSON

/// What users do, with conditions on its properties: a subject with a name, and filters.
struct ConditionFields: Sendable {
    let times: DraftTimes

    private var comparison: ComparisonFields { ComparisonFields(times: times) }

    func fields(of condition: JSONValue) -> JSONValue {
        var fields: JSONObject = ["subject": "event", "name": ""]
        if let product = condition["purchase"], !product.isNull {
            fields["subject"] = product.string == nil ? "purchase" : "product"
            fields["name"] = .string(product.string ?? "")
        } else if condition["session_start"]?.bool == true {
            fields["subject"] = "session"
        } else {
            fields["name"] = .string(condition["event"]?.string ?? "")
        }
        let filters = (condition["properties"]?.array ?? []).map { filter in
            var members = comparison.fields(of: filter)
            members["property"] = .string(filter["property"]?.string ?? "")
            return JSONValue.object(members)
        }
        fields["filters"] = .array(filters)
        return .object(fields)
    }

    func json(_ fields: JSONValue) -> JSONValue {
        var members: JSONObject = [:]
        switch fields.text("subject") {
        case "purchase": members["purchase"] = true
        case "product": members["purchase"] = .string(fields.text("name") ?? "")
        case "session": return ["session_start": true]
        default: members["event"] = fields.text("name").map(JSONValue.string) ?? JSONValue?.none
        }
        let filters = (fields["filters"]?.array ?? []).map { filter in
            var members: JSONObject = ["property": .string(filter.text("property") ?? "")]
            comparison.write(filter, to: &members)
            return JSONValue.object(members)
        }
        if !filters.isEmpty { members["properties"] = .array(filters) }
        return .object(members)
    }
}
