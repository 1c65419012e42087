import CardModel
import CardStore
import WireJSON

/// Reads what an app or a build step says of an app's typed contents: bounded in number and size, and without what has no
/// meaning.
enum ContentTypeReading {
    private static let kinds: Set<String> = [
        "string", "integer", "decimal", "boolean", "url", "date", "enum", "json",
    ]
    private static let maximumTypes = 100
    private static let maximumFields = 100
    private static let maximumValues = 200
    private static let maximumValueBytes = 255
    /// The maximum size of all types together, as JSON.
    static let maximumBytes = 262_144

    /// Returns the types of a request's body.
    static func types(of body: JSONValue, at now: UnixTime) throws(RequestError) -> [ContentType] {
        guard let elements = body["types"]?.array else { throw RequestError.fieldMissing("types") }
        guard elements.count <= maximumTypes else { throw RequestError.fieldInvalid("types") }
        var (types, bytes): ([ContentType], Int) = ([], 0)
        for (index, element) in elements.enumerated() {
            let type = try contentType(element, at: "types[\(index)]", now)
            bytes += type.schema.text.utf8.count
            guard bytes <= maximumBytes else { throw RequestError.fieldInvalid("types") }
            types.append(type)
        }
        return types
    }

    private static func contentType(
        _ json: JSONValue,
        at path: String,
        _ now: UnixTime
    ) throws(RequestError) -> ContentType {
        guard let name = json["class_type"]?.string, IdentityText.isValid(name) else {
            throw RequestError.fieldInvalid("\(path).class_type")
        }
        guard let elements = json["fields"]?.array, elements.count <= maximumFields else {
            throw RequestError.fieldInvalid("\(path).fields")
        }
        var fields: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            fields.append(try field(element, at: "\(path).fields[\(index)]"))
        }
        return ContentType(
            classType: name,
            schema: ["class_type": .string(name), "fields": .array(fields)],
            updatedAt: now
        )
    }

    private static func field(_ json: JSONValue, at place: String) throws(RequestError) -> JSONValue {
        guard let name = json["name"]?.string, IdentityText.isValid(name) else {
            throw RequestError.fieldInvalid("\(place).name")
        }
        guard let kind = json["type"]?.string, kinds.contains(kind) else {
            throw RequestError.fieldInvalid("\(place).type")
        }
        var members: JSONObject = ["name": .string(name), "type": .string(kind)]
        if let isRequired = json["required"], !isRequired.isNull {
            guard isRequired.bool != nil else { throw RequestError.fieldInvalid("\(place).required") }
            members["required"] = isRequired
        }
        if kind == "enum" {
            let values = json["values"]?.array ?? []
            let isBounded = values.allSatisfy { ($0.string?.utf8.count).map { $0 <= maximumValueBytes } ?? false }
            guard json["values"]?.array != nil, values.count <= maximumValues, isBounded else {
                throw RequestError.fieldInvalid("\(place).values")
            }
            members["values"] = .array(values)
        }
        return .object(members)
    }
}
