import CardModel
import WireJSON

extension WithheldCount {
    /// The count by its names on the wire.
    var json: JSONValue {
        [
            "variant_id": .string(variant.rawValue), "day": .string(day.local.description),
            "day_utc": .string(day.utc.description), "kind": .string(kind.rawValue), "reason": .string(reason),
            "users": .integer(users),
        ]
    }
}
