public import WireJSON

extension ContentSchema {
    /// The names of the types that a field may have.
    public static let typeNames = ["string", "integer", "decimal", "boolean", "url", "date", "enum", "json"]

    private static let maximumFields = 100
    private static let maximumValues = 200
    private static let maximumValueBytes = 255

    /// Returns what an app or a build step says of a content type, as it is stored: bounded, and without what has no
    /// meaning.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - path: Its place, for errors; empty for the whole.
    /// - Returns: The object.
    /// - Throws: `ModelError` that names the wrong field.
    public static func stored(_ json: JSONValue, at path: String = "") throws(ModelError) -> JSONValue {
        do throws(ModelErrors) {
            return try read(json, at: path)
        } catch {
            throw error.first
        }
    }

    /// Returns what ``stored(_:at:)`` does, and goes on after what is wrong.
    ///
    /// - Throws: `ModelErrors`, with an error for the name and for each wrong field.
    public static func read(_ json: JSONValue, at path: String = "") throws(ModelErrors) -> JSONValue {
        let place = path.isEmpty ? "" : path + "."
        var parts = PartReader()
        let name = json["class_type"]?.string ?? ""
        if !IdentityText.isValid(name) {
            parts.refuse(invalid("\(place)class_type", "1 to 255 bytes without control characters are expected."))
        }
        let elements = json["fields"]?.array
        if (elements?.count ?? .max) > maximumFields {
            parts.refuse(invalid("\(place)fields", "A list of at most \(maximumFields) fields is expected."))
        }
        let fields = (elements ?? []).prefix(maximumFields).enumerated().map { index, element in
            parts.read(or: .null) { () throws(ModelError) in
                try storedField(element, at: "\(place)fields[\(index)]")
            }
        }
        if let failure = parts.failure { throw failure }
        return ["class_type": .string(name), "fields": .array(fields)]
    }

    private static func storedField(_ json: JSONValue, at place: String) throws(ModelError) -> JSONValue {
        guard let name = json["name"]?.string, IdentityText.isValid(name) else {
            throw invalid("\(place).name", "1 to 255 bytes without control characters are expected.")
        }
        guard let kind = json["type"]?.string, typeNames.contains(kind) else {
            let known = typeNames.sorted().joined(separator: ", ")
            throw invalid("\(place).type", "There is no such type. Known: \(known).")
        }
        var members: JSONObject = ["name": .string(name), "type": .string(kind)]
        if let isRequired = json["required"], !isRequired.isNull {
            guard isRequired.bool != nil else { throw invalid("\(place).required", "true or false is expected.") }
            members["required"] = isRequired
        }
        if kind == "enum" {
            let values = json["values"]?.array ?? []
            let isBounded = values.allSatisfy { ($0.string?.utf8.count).map { $0 <= maximumValueBytes } ?? false }
            guard json["values"]?.array != nil, values.count <= maximumValues, isBounded else {
                throw invalid(
                    "\(place).values",
                    "At most \(maximumValues) texts of at most \(maximumValueBytes) bytes are expected."
                )
            }
            members["values"] = .array(values)
        }
        return .object(members)
    }

    private static func invalid(_ path: String, _ message: String) -> ModelError {
        ModelError(.fieldInvalid, at: path, message)
    }
}
