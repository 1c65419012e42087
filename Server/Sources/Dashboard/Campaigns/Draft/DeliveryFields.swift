import OrderedCollections
import WireJSON

/// The fields of what brings the card, and when.
struct DeliveryFields: Sendable {
    let times: DraftTimes

    private var condition: ConditionFields { ConditionFields(times: times) }

    func fields(of delivery: JSONValue) -> JSONValue {
        [
            "kind": .string(delivery[.type]?.string ?? "scheduled"),
            "local": .string(delivery[.localTime]?.bool == true ? "on" : ""),
            "start": .string(times.field(delivery[.startAt] ?? .null)),
            "end": .string(times.field(delivery[.endAt] ?? .null)),
            "trigger": condition.fields(of: delivery.part(.trigger)),
            "delay": DurationFields.fields(of: delivery[.delay], unit: "minutes"),
            "window": DurationFields.fields(of: delivery[.window], unit: "days"),
        ]
    }

    /// The delivery, over what the form has no field for.
    func json(_ fields: JSONValue, over base: JSONValue, _ baseValues: BaseValues) -> JSONValue {
        if let same = baseValues[fields] { return same }
        let kind = fields.text(.kind) ?? "scheduled"
        let isLocal = kind == "scheduled" && fields.isOn(.local)
        var members: JSONObject =
            base[.type]?.string == kind ? base.object ?? [:] : ["type": .string(kind)]
        members[.localTime] = isLocal ? true : JSONValue?.none
        members[.startAt] = times.value(fields.text(.start), isLocal: isLocal, over: base[.startAt])
        members[.endAt] = times.value(fields.text(.end), isLocal: isLocal, over: base[.endAt])
        if kind == "action" {
            let trigger = fields.part(.trigger)
            members[.trigger] = baseValues[trigger] ?? condition.json(trigger)
            members[.delay] = DurationFields.seconds(fields[.delay])
        }
        if kind != "scheduled" { members[.window] = DurationFields.seconds(fields[.window]) }
        return .object(members)
    }
}
