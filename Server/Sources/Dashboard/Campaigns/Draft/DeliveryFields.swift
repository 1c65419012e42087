import OrderedCollections
import WireJSON

/// What brings the card, and when.
struct DeliveryFields: Sendable {
    let times: DraftTimes

    private var condition: ConditionFields { ConditionFields(times: times) }

    func fields(of delivery: JSONValue) -> JSONValue {
        [
            "kind": .string(delivery["type"]?.string ?? "scheduled"),
            "local": .string(delivery["local_time"]?.bool == true ? "on" : ""),
            "start": .string(times.field(delivery["start_at"] ?? .null)),
            "end": .string(times.field(delivery["end_at"] ?? .null)),
            "trigger": condition.fields(of: delivery["trigger"] ?? [:]),
            "delay": DurationFields.fields(of: delivery["delay"], unit: "minutes"),
            "window": DurationFields.fields(of: delivery["window"], unit: "days"),
        ]
    }

    /// The delivery, over what the form has no field for.
    func json(_ fields: JSONValue, over base: JSONValue, _ kept: Kept) -> JSONValue {
        if let same = kept[fields] { return same }
        let kind = fields.text("kind") ?? "scheduled"
        let isLocal = kind == "scheduled" && fields.isOn("local")
        var members: JSONObject =
            base["type"]?.string == kind ? base.object ?? [:] : ["type": .string(kind)]
        members["local_time"] = isLocal ? true : JSONValue?.none
        members["start_at"] = times.value(fields.text("start"), isLocal: isLocal)
        members["end_at"] = times.value(fields.text("end"), isLocal: isLocal)
        if kind == "action" {
            let trigger = fields["trigger"] ?? [:]
            members["trigger"] = kept[trigger] ?? condition.json(trigger)
            members["delay"] = DurationFields.seconds(fields["delay"]) ?? JSONValue?.none
        }
        if kind != "scheduled" { members["window"] = DurationFields.seconds(fields["window"]) ?? JSONValue?.none }
        return .object(members)
    }
}
