import OrderedCollections
public import WireJSON

extension Segment.SegmentContent {
    /// The fields that a person writes.
    public static let fieldNames: Set<String> = ["name", "description", "tags", "audience"]

    /// Reads what a person wrote of a segment.
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

    /// Reads what a person wrote of a segment, and goes on after what is wrong.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - others: Names that may stand beside the content's own, such as `id` and `version`.
    /// - Returns: The content.
    /// - Throws: `ModelErrors`, with an error for each wrong field.
    public static func read(_ json: JSONValue, allowing others: Set<String> = []) throws(ModelErrors) -> Self {
        var parts = PartReader()
        let fields = try JSONFields.open(json, at: "", known: fieldNames.union(others), &parts)
        let content = Self(
            name: parts.read(or: "") { () throws(ModelError) in try fields.text("name", of: 1...255) },
            description: parts.read(or: "") { () throws(ModelError) in try description(fields) },
            tags: parts.read(or: []) { () throws(ModelError) in try fields.tags() },
            audience: parts.read(or: .everyone) { () throws(ModelError) in
                try Audience(json: fields["audience"] ?? .null)
            }
        )
        if let failure = parts.failure { throw failure }
        return content
    }

    private static func description(_ fields: JSONFields) throws(ModelError) -> String {
        let description = try fields.string("description") ?? ""
        guard JSONFields.isBounded(description, 0...2_000) else {
            throw fields.invalid("description", "At most 2,000 characters are expected.")
        }
        return description
    }

    /// The content as it is read back.
    public var json: JSONObject {
        [
            "name": .string(name), "description": .string(description),
            "tags": .array(tags.map(JSONValue.string)), "audience": audience.json,
        ]
    }
}

extension Segment {
    /// The fields that the server keeps beside the content, which may stand in what is sent back.
    public static let keptFieldNames: Set<String> = [
        "id", "version", "archived", "summary", "created_at", "updated_at",
    ]

    /// The whole segment, as the management API shows it.
    public var json: JSONValue {
        var members: JSONObject = [
            "id": .string(id.rawValue), "version": .integer(version), "archived": .bool(isArchived),
        ]
        members.merge(content.json) { first, _ in first }
        members["summary"] = .string(content.audience.summary)
        members["created_at"] = .number(createdAt)
        members["updated_at"] = .number(updatedAt)
        return .object(members)
    }
}
