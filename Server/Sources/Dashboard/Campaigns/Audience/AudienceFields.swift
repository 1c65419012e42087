import CardModel
import OrderedCollections
import WireJSON

/// An audience as fields of a form: each node has a `kind`, groups have `items`.
struct AudienceFields: Sendable {
    static let groups = ["all", "any", "none"]

    let times: DraftTimes

    private var history: HistoryFields { HistoryFields(times: times) }

    // MARK: From an audience

    /// The maximum number of conditions that a form shows one by one.
    ///
    /// Each takes some kilobytes of a page, so more of them, which nobody writes by hand, are one condition as JSON.
    static let shownConditions = 200

    private static func isLong(_ audience: JSONValue) -> Bool {
        var (count, pending) = (0, [audience])
        while let next = pending.popLast() {
            count += 1
            guard count <= shownConditions else { return true }
            guard let (name, value) = next.object?.elements.first, groups.contains(name) else { continue }
            pending += value.array ?? []
        }
        return false
    }

    func fields(of audience: JSONValue) -> JSONValue {
        if Self.isLong(audience) {
            return ["kind": "all", "items": [["kind": "json", "value": .string(audience.text)]]]
        }
        // The form always shows a group, so that there is a place to add to.
        guard let (name, _) = audience.object?.elements.first else { return ["kind": "all"] }
        return Self.groups.contains(name) ? node(audience) : ["kind": "all", "items": [node(audience)]]
    }

    private func node(_ json: JSONValue) -> JSONValue {
        guard let (name, value) = json.object?.elements.first else { return ["kind": "all"] }
        if json[.attribute] != nil { return attribute(json, name: json.value(.attribute), kind: "attribute") }
        switch name {
        case "all", "any", "none":
            return ["kind": .string(name), "items": .array((value.array ?? []).map(node))]
        case "custom_attribute":
            return attribute(value, name: value.value(.customAttributeName), kind: name)
        case "event", "purchase", "session": return history.fields(of: value, kind: name)
        case "segment": return ["kind": "segment", "value": .string(json.value(.segment))]
        case "campaign":
            var members: JSONObject = [
                "kind": "campaign", "name": .string(value.value(.id)),
                "comparison": .string(value[.contact]?.string ?? "received"),
                "variants": .string(ValueText.list(ofTexts: value[.variants] ?? [])),
            ]
            TimeWindowFields.write(value, to: &members)
            return .object(members)
        default: return PlainFilterForm(name)?.fields(of: value) ?? ["kind": "json", "value": .string(json.text)]
        }
    }

    private func attribute(_ json: JSONValue, name: String, kind: String) -> JSONValue {
        var members = comparison(of: name, kind: kind).fields(of: json)
        members[.kind] = .string(kind)
        members[.name] = .string(name)
        return .object(members)
    }

    /// The standard attributes are texts, and so is most of what the server keeps.
    private func comparison(of name: String, kind: String) -> ComparisonFields {
        var fields = ComparisonFields(times: times)
        if kind == "attribute" {
            let texts: [AttributeClause.SystemAttribute] = [.userID, .appVersion, .locale]
            fields.isText = StandardAttribute(rawValue: name) != nil || texts.contains { $0.rawValue == name }
        }
        return fields
    }

    /// Notes what each node's fields stand for.
    func keep(_ audience: JSONValue, in baseValues: inout BaseValues) {
        guard !audience.isNull else { return }
        keep(node: audience, in: &baseValues)
        // Where the form put a group around the only condition, the condition alone is meant.
        baseValues.add(fields(of: audience), for: audience)
    }

    private func keep(node: JSONValue, in baseValues: inout BaseValues) {
        guard let (name, value) = node.object?.elements.first else { return }
        if Self.groups.contains(name) {
            for item in value.array ?? [] { keep(node: item, in: &baseValues) }
        } else {
            baseValues.add(self.node(node), for: node)
        }
    }

    // MARK: To an audience

    /// The audience as the API takes it; at the top, all of nothing is everybody.
    func audience(of fields: JSONValue, _ baseValues: BaseValues) -> JSONValue {
        if let same = baseValues[fields] { return same }
        let isEmpty = fields[.items]?.array?.isEmpty ?? true
        return isEmpty && (fields.text(.kind) ?? "all") != "any" ? .null : json(fields, baseValues)
    }

    private func json(_ fields: JSONValue, _ baseValues: BaseValues) -> JSONValue {
        let kind = fields.text(.kind) ?? "all"
        if Self.groups.contains(kind) {
            return .object([kind: .array(fields.rows(.items).map { json($0, baseValues) })])
        }
        return baseValues[fields] ?? leaf(fields, kind)
    }

    private func leaf(_ fields: JSONValue, _ kind: String) -> JSONValue {
        let name = fields.trimmed(.name)
        var members: JSONObject = [:]
        switch kind {
        case "attribute":
            members[.attribute] = .string(name)
            comparison(of: name, kind: kind).write(fields, to: &members)
            return .object(members)
        case "custom_attribute":
            members[.customAttributeName] = .string(name)
            comparison(of: name, kind: kind).write(fields, to: &members)
            return ["custom_attribute": .object(members)]
        case "event", "purchase", "session": return .object([kind: history.json(fields, kind: kind)])
        case "segment": return ["segment": .string(fields.trimmed(.value))]
        case "campaign":
            members[.id] = .string(name)
            members[.contact] = .string(fields.text(.comparison) ?? "received")
            let variants = ValueText.texts(fields.value(.variants))
            if !variants.isEmpty { members[.variants] = .array(variants.map(JSONValue.string)) }
            TimeWindowFields.read(fields, to: &members)
            return ["campaign": .object(members)]
        default:
            if let form = PlainFilterForm(kind) { return .object([kind: form.json(fields)]) }
            return fields[.value]?.string.flatMap { try? JSONValue(parsing: $0) } ?? .string("")
        }
    }
}

/// The fields of the time that a condition reaches back: a number of days, of 24 hours or of the calendar.
enum TimeWindowFields {
    static func write(_ json: JSONValue, to members: inout JSONObject) {
        let calendar = json.shown(.withinCalendarDays)
        members[.days] = .string(calendar.isEmpty ? json.shown(.withinDays) : calendar)
        members[.window] = calendar.isEmpty ? "days" : "calendar"
    }

    static func read(_ fields: JSONValue, to members: inout JSONObject) {
        guard let days = fields.text(.days) else { return }
        members[fields.text(.window) == "calendar" ? "within_calendar_days" : "within_days"] = TypedNumber.json(days)
    }
}
