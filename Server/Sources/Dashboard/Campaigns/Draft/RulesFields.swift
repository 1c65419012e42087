import OrderedCollections
import WireJSON

/// What bounds a campaign's cards.
struct RulesFields: Sendable {
    private static let flags = [
        ("follow", "follow_audience"), ("freeze", "freeze"), ("uncapped", "ignore_frequency_caps"),
        ("loud", "ignore_quiet_hours"),
    ]

    let times: DraftTimes

    private var condition: ConditionFields { ConditionFields(times: times) }

    func fields(of rules: JSONValue) -> JSONValue {
        var members: JSONObject = [
            "again": .string(rules["reeligible"]?.bool.map { $0 ? "after" : "never" } ?? ""),
            "days": .string(rules["reeligible_after_days"]?.double?.fieldText ?? ""),
            "remove_on": .array((rules["remove_on"]?.array ?? []).map(condition.fields)),
        ]
        for (field, name) in Self.flags { members[field] = .string(rules[name]?.bool == true ? "on" : "") }
        return .object(members)
    }

    /// The rules, over what the form has no field for.
    func json(_ fields: JSONValue, over base: JSONValue, _ kept: Kept) -> JSONValue {
        if let same = kept[fields] { return same }
        var members = base.object ?? [:]
        let again = fields.text("again")
        members["reeligible"] = again.map { .bool($0 == "after") } ?? JSONValue?.none
        members["reeligible_after_days"] = again == "after" ? .guessing(fields.text("days") ?? "0") : JSONValue?.none
        for (field, name) in Self.flags { members[name] = fields.isOn(field) ? true : JSONValue?.none }
        let removal = (fields["remove_on"]?.array ?? []).map { kept[$0] ?? condition.json($0) }
        members["remove_on"] = removal.isEmpty ? JSONValue?.none : .array(removal)
        return .object(members)
    }
}
