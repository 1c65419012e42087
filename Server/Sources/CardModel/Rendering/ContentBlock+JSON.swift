public import WireJSON

extension ContentBlock {
    /// Reads what a person wrote of a block.
    ///
    /// - Parameters:
    ///   - name: What templates name it by.
    ///   - json: An object with `content` and `description`.
    ///   - now: When it is written.
    /// - Throws: `ModelError` that names the wrong field.
    public init(name: String, json: JSONValue, updatedAt now: UnixTime) throws(ModelError) {
        guard Slug.isValid(name) else {
            throw ModelError(.fieldInvalid, at: "name", "1 to 64 letters, digits, _, - and . are expected.")
        }
        guard let content = json["content"]?.string, content.utf8.count <= Self.sizeLimit else {
            throw ModelError(.fieldInvalid, at: "content", "A text of at most \(Self.sizeLimit) bytes is expected.")
        }
        let member = json["description"] ?? .null
        let description = member.isNull ? "" : member.string
        guard let description, description.utf8.count <= Self.descriptionLimit else {
            throw ModelError(
                .fieldInvalid,
                at: "description",
                "A text of at most \(Self.descriptionLimit) bytes is expected."
            )
        }
        self.init(name: name, content: content, description: description, updatedAt: now)
    }

    /// The block by its names on the wire.
    public var json: JSONValue {
        [
            "name": .string(name), "content": .string(content), "description": .string(description),
            "updated_at": .number(updatedAt),
        ]
    }
}
