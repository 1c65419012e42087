import OrderedCollections
public import WireJSON

extension Campaign.Content {
    /// The fields that a person writes.
    public static let fieldNames: Set<String> = [
        "name", "tags", "delivery", "audience", "variants", "salt", "rules", "conversions",
    ]

    /// Reads what a person wrote of a campaign.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - others: Names that may stand beside the content's own, such as `id` and `version`.
    /// - Throws: `ModelError` that names the wrong field.
    public init(json: JSONValue, allowing others: Set<String> = []) throws(ModelError) {
        let fields = try JSONFields(json, at: "", known: Self.fieldNames.union(others))
        let name = try fields.text("name", of: 1...255)
        self.init(
            name: name,
            tags: try fields.tags(),
            delivery: try Campaign.DeliveryMode(json: fields["delivery"] ?? .null, at: fields.place("delivery")),
            audience: try Audience(json: fields["audience"] ?? .null),
            variants: try Self.variants(fields),
            rules: try Campaign.Rules(json: fields["rules"] ?? .null, at: fields.place("rules"))
        )
        salt = try fields.string("salt") ?? ""
        guard salt.utf8.count <= 64, salt.utf8.allSatisfy({ $0 > 0x1F }) else {
            throw fields.invalid("salt", "At most 64 bytes without control characters are expected.")
        }
        conversions = try Campaign.Conversion.list(fields)
    }

    private static func variants(_ fields: JSONFields) throws(ModelError) -> [Campaign.Variant] {
        guard let elements = try fields.array("variants") else { throw fields.missing("variants") }
        guard (1...20).contains(elements.count) else {
            throw fields.invalid("variants", "1 to 20 variants are expected.")
        }
        var variants: [Campaign.Variant] = []
        for (index, element) in elements.enumerated() {
            let variant = try Campaign.Variant(json: element, at: "variants[\(index)]", index: index)
            if variants.contains(where: { $0.id == variant.id }) {
                throw ModelError(.fieldInvalid, at: "variants[\(index)].id", "Two variants have the same id.")
            }
            variants.append(variant)
        }
        if variants.filter(\.isControl).count > 1 {
            throw fields.invalid("variants", "At most one variant may be the control.")
        }
        if variants.allSatisfy({ $0.weight == 0 }) {
            throw fields.invalid("variants", "At least one variant needs a weight above 0.")
        }
        return variants
    }

    /// The content as it is read back.
    public var json: JSONObject {
        var members: JSONObject = [
            "name": .string(name), "tags": .array(tags.map(JSONValue.string)), "delivery": delivery.json,
            "audience": audience.json, "variants": .array(variants.map(\.json)), "rules": rules.json,
        ]
        if !salt.isEmpty { members["salt"] = .string(salt) }
        if !conversions.isEmpty { members["conversions"] = .array(conversions.map(\.json)) }
        return members
    }
}

extension Campaign.Content {
    /// The fields that another content has different, in the order in which they are written.
    public func fields(differentFrom other: Self) -> [String] {
        let (mine, others) = (json, other.json)
        return OrderedSet(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }
    }
}

extension Campaign.Variant {
    init(json: JSONValue, at path: String, index: Int) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["id", "name", "weight", "control", "card"])
        let id = try fields.string("id") ?? Self.defaultID(index)
        guard let id = VariantID(checking: id) else {
            throw fields.invalid("id", "1 to 64 letters, digits, _, - and . are expected.")
        }
        let isControl = try fields.bool("control") ?? false
        let card = fields["card"]
        switch (isControl, card) {
        case (true, _?): throw fields.invalid("card", "The control shows nothing, so it has no card.")
        case (false, nil): throw fields.missing("card")
        default: break
        }
        self.init(
            id: id,
            name: try fields.optionalText("name", of: 0...255) ?? (isControl ? "Control" : "Variant \(id.rawValue)"),
            weight: Int(try fields.integer("weight", in: 0...1_000_000) ?? 1),
            card: nil
        )
        if let card { self.card = try CardTemplate(json: card, at: fields.place("card")) }
    }

    /// `a` to `t`: there are at most 20 variants.
    private static func defaultID(_ index: Int) -> String {
        // safe: there are twenty variants at most
        String(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(index))))
    }

    var json: JSONValue {
        var members: JSONObject = [
            "id": .string(id.rawValue), "name": .string(name), "weight": .integer(Int64(weight)),
            "control": .bool(isControl),
        ]
        members["card"] = card?.json
        return .object(members)
    }
}

extension Campaign {
    /// The whole campaign, as the management API shows it.
    public var json: JSONValue {
        var members: JSONObject = [
            "id": .string(id.rawValue), "version": .integer(version), "status": .string(status.rawValue),
            "withdrawn": .bool(isWithdrawn),
        ]
        members.merge(content.json) { first, _ in first }
        members["created_at"] = .number(createdAt)
        members["updated_at"] = .number(updatedAt)
        members["launched_at"] = launchedAt.map(JSONValue.number) ?? .null
        return .object(members)
    }
}
