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
        do throws(ModelErrors) {
            self = try Self.read(json, allowing: others)
        } catch {
            throw error.first
        }
    }

    /// Reads what a person wrote of a campaign, and goes on after what is wrong.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - others: Names that may stand beside the content's own, such as `id` and `version`.
    /// - Returns: The content.
    /// - Throws: `ModelErrors`, with an error for each wrong field of the campaign, its variants, cards and
    ///   conversions.
    public static func read(_ json: JSONValue, allowing others: Set<String> = []) throws(ModelErrors) -> Self {
        var parts = PartReader()
        let fields = try JSONFields.open(json, at: "", known: fieldNames.union(others), &parts)
        var content = Self(
            name: parts.read(or: "") { () throws(ModelError) in try fields.text("name", of: 1...255) },
            tags: parts.read(or: []) { () throws(ModelError) in try fields.tags() },
            delivery: parts.read(or: .scheduled(start: nil, end: nil)) { () throws(ModelError) in
                try Campaign.DeliveryMode(json: fields["delivery"] ?? .null, at: fields.place("delivery"))
            },
            audience: parts.read(or: .everyone) { () throws(ModelError) in
                try Audience(json: fields["audience"] ?? .null)
            },
            variants: variants(fields, &parts),
            rules: parts.read(or: Campaign.Rules()) { () throws(ModelError) in
                try Campaign.Rules(json: fields["rules"] ?? .null, at: fields.place("rules"))
            }
        )
        content.salt = parts.read(or: "") { () throws(ModelError) in try salt(fields) }
        content.conversions = Campaign.Conversion.list(fields, &parts)
        if let failure = parts.failure { throw failure }
        return content
    }

    private static func salt(_ fields: JSONFields) throws(ModelError) -> String {
        let salt = try fields.string("salt") ?? ""
        guard salt.utf8.count <= 64, salt.utf8.allSatisfy({ $0 > 0x1F }) else {
            throw fields.invalid("salt", "At most 64 bytes without control characters are expected.")
        }
        return salt
    }

    private static func variants(_ fields: JSONFields, _ parts: inout PartReader) -> [Campaign.Variant] {
        let elements = parts.read(or: []) { () throws(ModelError) in try variantElements(fields) }
        var variants: [Campaign.Variant] = []
        var ids: Set<String> = []
        for (index, element) in elements.enumerated() {
            let path = "variants[\(index)]"
            let variant: Campaign.Variant? = parts.readAll(or: nil) { () throws(ModelErrors) in
                try Campaign.Variant.read(element, at: path, index: index)
            }
            // The id counts whatever else is wrong in the variant.
            if let id = Campaign.Variant.id(of: element, index), !ids.insert(id.rawValue).inserted {
                parts.refuse(ModelError(.fieldInvalid, at: "\(path).id", "Two variants have the same id."))
            }
            if let variant { variants.append(variant) }
        }
        // What is wrong in one of them says nothing of all.
        guard variants.count == elements.count, !variants.isEmpty else { return variants }
        if variants.filter(\.isControl).count > 1 {
            parts.refuse(fields.invalid("variants", "At most one variant may be the control."))
        }
        if variants.allSatisfy({ $0.weight == 0 }) {
            parts.refuse(fields.invalid("variants", "At least one variant needs a weight above 0."))
        }
        return variants
    }

    private static func variantElements(_ fields: JSONFields) throws(ModelError) -> [JSONValue] {
        guard let elements = try fields.array("variants") else { throw fields.missing("variants") }
        guard (1...20).contains(elements.count) else {
            throw fields.invalid("variants", "1 to 20 variants are expected.")
        }
        return elements
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
    /// Reads a variant, and goes on after what is wrong.
    fileprivate static func read(_ json: JSONValue, at path: String, index: Int) throws(ModelErrors) -> Self {
        var parts = PartReader()
        let fields = try JSONFields.open(json, at: path, known: ["id", "name", "weight", "control", "card"], &parts)
        let id = parts.read(or: VariantID(rawValue: "")) { () throws(ModelError) in try self.id(fields, index) }
        let isControl = parts.bool("control", of: fields) ?? false
        let card = fields["card"]
        switch (isControl, card) {
        case (true, _?): parts.refuse(fields.invalid("card", "The control shows nothing, so it has no card."))
        case (false, nil): parts.refuse(fields.missing("card"))
        default: break
        }
        let usual = standardName(of: id, isControl: isControl)
        var variant = Self(
            id: id,
            name: parts.read(or: "") { () throws(ModelError) in try fields.optionalText("name", of: 0...255) ?? usual },
            weight: parts.read(or: 1) { () throws(ModelError) in
                Int(try fields.integer("weight", in: 0...1_000_000) ?? 1)
            },
            card: nil
        )
        if let card {
            variant.card = parts.readAll(or: nil) { () throws(ModelErrors) in
                try CardTemplate.read(card, at: fields.place("card"))
            }
        }
        if let failure = parts.failure { throw failure }
        return variant
    }

    /// The name of a variant of the API that was given none, in English.
    package static func standardName(of id: VariantID, isControl: Bool) -> String {
        isControl ? "Control" : "Variant \(id.rawValue)"
    }

    /// The id of a variant, or `nil` where it can't be read.
    fileprivate static func id(of json: JSONValue, _ index: Int) -> VariantID? {
        guard let members = json.object else { return nil }
        guard let value = members["id"], !value.isNull else { return VariantID(rawValue: defaultID(index)) }
        return value.string.flatMap(VariantID.init(checking:))
    }

    private static func id(_ fields: JSONFields, _ index: Int) throws(ModelError) -> VariantID {
        guard let id = VariantID(checking: try fields.string("id") ?? defaultID(index)) else {
            throw fields.invalid("id", "1 to 64 letters, digits, _, - and . are expected.")
        }
        return id
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
    /// The fields that the server keeps beside the content, which may stand in what is sent back.
    public static let keptFieldNames: Set<String> = [
        "id", "version", "status", "withdrawn", "created_at", "updated_at", "launched_at", "warnings",
    ]

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
