import CardModel
import CardStore
import WireJSON

/// Reads what an app or a build step says of an app's typed contents: bounded in number and size, and without what has
/// no meaning.
enum ContentTypeReading {
    private static let maximumTypes = 100
    /// The maximum size of all types together, as JSON.
    static let maximumBytes = 262_144

    /// Returns the types of a request's body.
    static func types(of body: JSONValue, at now: UnixTime) throws -> [ContentType] {
        guard let elements = body["types"]?.array else { throw RequestError.fieldMissing("types") }
        guard elements.count <= maximumTypes else {
            throw RequestError.fieldInvalid("types", expected: "at most \(maximumTypes) types")
        }
        var (types, bytes): ([ContentType], Int) = ([], 0)
        for (index, element) in elements.enumerated() {
            let schema = try ContentSchema.stored(element, at: "types[\(index)]")
            bytes += schema.text.utf8.count
            guard bytes <= maximumBytes else {
                throw RequestError.fieldInvalid("types", expected: "at most \(maximumBytes) bytes of JSON")
            }
            types.append(ContentType(classType: schema["class_type"]?.string ?? "", schema: schema, updatedAt: now))
        }
        return types
    }
}
