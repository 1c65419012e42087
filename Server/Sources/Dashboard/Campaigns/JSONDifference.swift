import WireJSON

/// What differs between two values, leaf by leaf.
struct JSONDifference {
    /// What the server writes of a campaign: no difference to people.
    static let kept: Set<String> = ["version", "updated_at", "status", "launched_at", "withdrawn", "created_at"]

    let place: String
    let before: String
    let after: String

    static func list(_ before: JSONValue, _ after: JSONValue, at place: String = "") -> [JSONDifference] {
        guard before != after else { return [] }
        if let left = before.object, let right = after.object {
            let names = Array(left.keys) + right.keys.filter { left[$0] == nil }
            return names.flatMap { name in
                list(left[name] ?? .null, right[name] ?? .null, at: place.isEmpty ? name : "\(place).\(name)")
            }
        }
        if let left = before.array, let right = after.array, place.hasSuffix("variants") {
            return (0..<max(left.count, right.count)).flatMap { index in
                list(
                    index < left.count ? left[index] : .null,
                    index < right.count ? right[index] : .null,
                    at: "\(place)[\(index)]"
                )
            }
        }
        return [JSONDifference(place: place, before: before.fieldText, after: after.fieldText)]
    }

    /// The text at a place.
    static func text(_ value: JSONValue, at place: String) -> String {
        var value = value
        for step in place.split(whereSeparator: { ".[]".contains($0) }) {
            if let index = Int(step) {
                let items = value.array ?? []
                value = items.indices.contains(index) ? items[index] : .null
            } else {
                value = value[String(step)] ?? .null
            }
        }
        return value.fieldText
    }
}
