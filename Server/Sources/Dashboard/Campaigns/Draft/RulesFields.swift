import OrderedCollections
import WireJSON

/// The fields of the rules that limit a campaign's cards.
struct RulesFields: Sendable {
    /// The rules that are on or off: their fields, and their names in the API.
    static let flags: [(field: DraftField, name: String)] = [
        (.follow, "follow_audience"),
        (.freeze, "freeze"),
        (.uncapped, "ignore_frequency_caps"),
        (.loud, "ignore_quiet_hours"),
    ]

    /// Returns the editor's label of a rule that is on or off.
    static func label(of flag: DraftField) -> String {
        switch flag {
        case .follow: localized("Remove when no longer in audience")
        case .freeze: localized("Freeze content at delivery")
        case .uncapped: localized("Ignore frequency caps")
        case .loud: localized("Ignore quiet hours")
        default: flag.rawValue
        }
    }

    let times: DraftTimes

    private var condition: ConditionFields { ConditionFields(times: times) }

    func fields(of rules: JSONValue) -> JSONValue {
        var members: JSONObject = [
            "again": .string(rules[.reeligible]?.bool.map { $0 ? "after" : "never" } ?? ""),
            "days": .string(rules.shown(.reeligibleAfterDays)),
            "remove_on": .array(rules.rows(.removeOn).map(condition.fields)),
        ]
        for (field, name) in Self.flags { members[field] = .string(rules[name]?.bool == true ? "on" : "") }
        return .object(members)
    }

    /// The rules, over what the form has no field for.
    func json(_ fields: JSONValue, over base: JSONValue, _ baseValues: BaseValues) -> JSONValue {
        if let same = baseValues[fields] { return same }
        var members = base.object ?? [:]
        let again = fields.text(.again)
        members[.reeligible] = again.map { .bool($0 == "after") }
        members[.reeligibleAfterDays] = again == "after" ? TypedNumber.json(fields.text(.days) ?? "0") : JSONValue?.none
        for (field, name) in Self.flags { members[name] = fields.isOn(field) ? true : JSONValue?.none }
        let removal = fields.rows(.removeOn).map { baseValues[$0] ?? condition.json($0) }
        members[.removeOn] = removal.isEmpty ? JSONValue?.none : .array(removal)
        return .object(members)
    }
}
