import OrderedCollections
public import WireJSON

extension Campaign.Conversion {
    /// Reads `{"id", "name", "on", "window_seconds", "from"}`; `on` is `{"session_start": true}` or what
    /// `EventCondition` reads.
    init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["id", "name", "on", "window_seconds", "from"])
        let id = try fields.requiredString("id")
        guard Slug.isValid(id) else { throw fields.invalid("id", "1 to 64 letters, digits, _, - and . are expected.") }
        let name = try fields.optionalText("name", of: 1...255) ?? id
        guard let on = fields["on"] else { throw fields.missing("on") }
        let from = try fields.string("from") ?? Opening.delivery.rawValue
        guard let opening = Opening(rawValue: from) else {
            throw fields.invalid("from", "delivery or impression is expected.")
        }
        self.init(
            id: id,
            name: name,
            goal: try Goal(json: on, at: fields.place("on")),
            window: try fields.double("window_seconds", in: 1...Self.longestWindow) ?? Self.usualWindow,
            opening: opening
        )
    }

    /// Reads a campaign's conversions, and goes on after one that is wrong.
    static func list(_ fields: JSONFields, _ parts: inout PartReader) -> [Campaign.Conversion] {
        var conversions: [Campaign.Conversion] = []
        let rows = parts.read(or: []) { () throws(ModelError) in try elements(of: fields) }
        for (index, element) in rows.enumerated() {
            let place = "conversions[\(index)]"
            let conversion: Campaign.Conversion? = parts.read(or: nil) { () throws(ModelError) in
                try Campaign.Conversion(json: element, at: fields.place(place))
            }
            guard let conversion else { continue }
            if conversions.contains(where: { $0.id == conversion.id }) {
                parts.refuse(fields.invalid("\(place).id", "Two conversions have the same id."))
            }
            conversions.append(conversion)
        }
        return conversions
    }

    private static func elements(of fields: JSONFields) throws(ModelError) -> [JSONValue] {
        let elements = try fields.array("conversions") ?? []
        guard elements.count <= limit else {
            throw fields.invalid("conversions", "At most \(limit) conversions are possible.")
        }
        return elements
    }

    /// The conversion as it is read back.
    public var json: JSONValue {
        [
            "id": .string(id), "name": .string(name), "on": goal.json, "window_seconds": .number(window),
            "from": .string(opening.rawValue),
        ]
    }
}

extension Campaign.Conversion.Goal {
    fileprivate init(json: JSONValue, at path: String) throws(ModelError) {
        guard json["session_start"] != nil else {
            self = .event(try EventCondition(json: json, at: path))
            return
        }
        let fields = try JSONFields(json, at: path, known: ["session_start"])
        guard try fields.bool("session_start") == true else {
            throw fields.invalid("session_start", "true is expected.")
        }
        self = .sessionStart
    }

    fileprivate var json: JSONValue {
        switch self {
        case .event(let condition): condition.json
        case .sessionStart: ["session_start": true]
        }
    }
}
