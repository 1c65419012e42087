import OrderedCollections
import WireJSON

/// What bounds a campaign's cards.
struct RulesFields: Sendable {
    /// The rules that are on or off: their fields, their names in the API and their labels.
    static let flags: [(field: DraftField, name: String, label: String)] = [
        (.follow, "follow_audience", "Remove when no longer in audience"),
        (.freeze, "freeze", "Freeze content at delivery"),
        (.uncapped, "ignore_frequency_caps", "Ignore frequency caps"),
        (.loud, "ignore_quiet_hours", "Ignore quiet hours"),
    ]

    let times: DraftTimes

    private var condition: ConditionFields { ConditionFields(times: times) }

    func fields(of rules: JSONValue) -> JSONValue {
        var members: JSONObject = [
            "again": .string(rules[.reeligible]?.bool.map { $0 ? "after" : "never" } ?? ""),
            "days": .string(rules.shown(.reeligibleAfterDays)),
            "remove_on": .array(rules.rows(.removeOn).map(condition.fields)),
        ]
        for (field, name, _) in Self.flags { members[field] = .string(rules[name]?.bool == true ? "on" : "") }
        return .object(members)
    }

    /// The rules, over what the form has no field for.
    func json(_ fields: JSONValue, over base: JSONValue, _ kept: Kept) -> JSONValue {
        if let same = kept[fields] { return same }
        var members = base.object ?? [:]
        let again = fields.text(.again)
        members[.reeligible] = again.map { .bool($0 == "after") }
        members[.reeligibleAfterDays] = again == "after" ? .guessing(fields.text(.days) ?? "0") : JSONValue?.none
        for (field, name, _) in Self.flags { members[name] = fields.isOn(field) ? true : JSONValue?.none }
        let removal = fields.rows(.removeOn).map { kept[$0] ?? condition.json($0) }
        members[.removeOn] = removal.isEmpty ? JSONValue?.none : .array(removal)
        return .object(members)
    }
}
