import OrderedCollections
import WireJSON

/// The fields of what users do, with conditions on its properties: a subject with a name, and filters.
struct ConditionFields: Sendable {
    let times: DraftTimes

    private var comparison: ComparisonFields { ComparisonFields(times: times) }

    func fields(of condition: JSONValue) -> JSONValue {
        var fields: JSONObject = ["subject": "event", "name": ""]
        if let product = condition[.purchase], !product.isNull {
            fields[.subject] = product.string == nil ? "purchase" : "product"
            fields[.name] = .string(condition.value(.purchase))
        } else if condition[.sessionStart]?.bool == true {
            fields[.subject] = "session"
        } else {
            fields[.name] = .string(condition.value(.event))
        }
        let filters = condition.rows(.properties).map { filter in
            var members = comparison.fields(of: filter)
            members[.property] = .string(filter.value(.property))
            return JSONValue.object(members)
        }
        fields[.filters] = .array(filters)
        return .object(fields)
    }

    func json(_ fields: JSONValue) -> JSONValue {
        var members: JSONObject = [:]
        switch fields.text(.subject) {
        case "purchase": members[.purchase] = true
        case "product": members[.purchase] = .string(fields.trimmed(.name))
        case "session": return ["session_start": true]
        default: members[.event] = fields.text(.name).map(JSONValue.string)
        }
        let filters = fields.rows(.filters).map { filter in
            var members: JSONObject = ["property": .string(filter.trimmed(.property))]
            comparison.write(filter, to: &members)
            return JSONValue.object(members)
        }
        if !filters.isEmpty { members[.properties] = .array(filters) }
        return .object(members)
    }
}
