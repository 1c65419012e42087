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
        do throws(ModelErrors) {
            self = try Self.read(name: name, json: json, updatedAt: now)
        } catch {
            throw error.first
        }
    }

    /// Reads what a person wrote of a block, and goes on after what is wrong.
    ///
    /// - Parameters:
    ///   - name: What templates name it by.
    ///   - json: An object with `content` and `description`.
    ///   - now: When it is written.
    /// - Returns: The block.
    /// - Throws: `ModelErrors`, with an error for each wrong field.
    public static func read(name: String, json: JSONValue, updatedAt now: UnixTime) throws(ModelErrors) -> Self {
        var parts = PartReader()
        if !Slug.isValid(name) { parts.refuse(invalid("name", "1 to 64 letters, digits, _, - and . are expected.")) }
        let content = json["content"]?.string ?? ""
        if json["content"]?.string == nil || content.utf8.count > sizeLimit {
            parts.refuse(invalid("content", "A text of at most \(sizeLimit) bytes is expected."))
        }
        let member = json["description"] ?? .null
        let description = (member.isNull ? "" : member.string) ?? ""
        if !member.isNull, member.string == nil || description.utf8.count > descriptionLimit {
            parts.refuse(invalid("description", "A text of at most \(descriptionLimit) bytes is expected."))
        }
        if let failure = parts.failure { throw failure }
        return Self(name: name, content: content, description: description, updatedAt: now)
    }

    private static func invalid(_ name: String, _ message: String) -> ModelError {
        ModelError(.fieldInvalid, at: name, message)
    }

    /// The block by its names on the wire.
    public var json: JSONValue {
        [
            "name": .string(name), "content": .string(content), "description": .string(description),
            "updated_at": .number(updatedAt),
        ]
    }
}
